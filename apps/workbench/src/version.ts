/** Set by `scripts/build-page.mjs` to the version of this package. */
declare const PAGE_VERSION: string;

/** The version of the page. */
export const VERSION = PAGE_VERSION;
