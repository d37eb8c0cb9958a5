import Ajv from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';

const TYPES = `
/** One thing that does not fit the schema. */
export interface ConfigViolation {
  /** JSON pointer to the member. */
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The name of a member, when that is what does not fit. */
  readonly propertyName?: string;
}

/** Says whether a value fits the schema; \`errors\` says why not. */
export interface ConfigValidator {
  (value: unknown): boolean;
  errors?: readonly ConfigViolation[] | null;
}

const typed = validateConfig as unknown as ConfigValidator;
export { typed as validateConfig };
`;

/** The validator of the user's configuration, as one module without imports. */
export async function generateConfigValidator(schema, banner) {
  const ajv = new Ajv({ code: { source: true, esm: true } });
  ajv.addSchema(schema, 'config');
  const { outputFiles } = await build({
    stdin: {
      contents: standaloneCode(ajv, { validateConfig: 'config' }),
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: 'esm',
    charset: 'utf8',
    write: false,
  });
  const [code, exported] = outputFiles[0].text.split(/^export \{/m);
  if (exported?.trim() !== 'validateConfig\n};') throw new Error('unexpected exports');
  const withoutPaths = code.replace(/^\/\/ .*$/gm, '');
  return `// @ts-nocheck\n${banner}${withoutPaths.trim()}\n${TYPES}`;
}
