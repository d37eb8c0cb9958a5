/** A program that the tests need. */
export type ProgramName = 'chromium' | 'nginx' | 'openssl';

export function findProgram(name: ProgramName): string | undefined;
export function howToInstall(names: readonly ProgramName[]): string;
export function ensureSystemPackages(): boolean;
