/** UTF-16 units of the characters that JSON is made of. */
export const QUOTE = 34;
export const COMMA = 44;
export const COLON = 58;
export const OPENING_BRACKET = 91;
export const BACKSLASH = 92;
export const CLOSING_BRACKET = 93;
export const OPENING_BRACE = 123;
export const CLOSING_BRACE = 125;
