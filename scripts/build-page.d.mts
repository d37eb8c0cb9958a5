export const pageFolder: string;
export function buildPage(folder?: string): string[];
