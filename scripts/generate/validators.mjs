import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { transform } from 'esbuild';
import { addKeywords } from './keywords.mjs';
import { rewriteDefinitions } from './rewrite.mjs';

/** The source of `validators.gen.ts`: one validator per named definition, importing nothing. */
export async function generateValidators(schema, names, banner) {
  const ajv = new Ajv({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: false,
    inlineRefs: false,
    unicode: false,
    logger: false,
    code: { source: true, esm: true, lines: true },
  });
  addKeywords(ajv);
  const { nameOf, schemas } = rewriteDefinitions(schema.$defs, names);
  for (const [name, definition] of schemas) ajv.addSchema({ $id: name, ...definition });
  const used = [...new Set(names.map((name) => nameOf.get(name)))];
  const exports = Object.fromEntries(used.map((name) => [`validate${name}`, name]));
  const source = onlyNeededErrorMembers(standaloneCode.default(ajv, exports));
  const { code } = await transform(source, {
    format: 'esm',
    treeShaking: true,
    minifySyntax: true,
    target: 'es2022',
  });
  const stray = /\brequire\(|\bimport\b|schemaPath:/.exec(code);
  if (stray) throw new Error(`generated code is not self-contained: ${stray[0]}`);
  return [
    '// @ts-nocheck',
    banner,
    TYPES,
    '/** The definitions that have a validator. */',
    `export type DefinitionName =\n${names.map((name) => `  | '${name}'`).join('\n')};\n`,
    code.replace(/^"use strict";\n/, '').replace(/^export \{[\s\S]*?\};\n/m, ''),
    '/** The validators, by definition. */',
    'export const VALIDATORS: { readonly [Name in DefinitionName]: Validate } = {',
    ...names.map((name) => `  ${name}: validate${nameOf.get(name)},`),
    '};\n',
  ].join('\n');
}

/** Keeps the place and the message of a violation; with the rest go the copies of the schema. */
function onlyNeededErrorMembers(source) {
  return source
    .replaceAll(/schemaPath:"[^"]*",keyword:"[^"]*",params:\{[^{}]*\},/g, '')
    .replaceAll(/message:"must be \w+(,\w+)+"/g, (message) => message.replaceAll(',', ' or '));
}

const TYPES = `/** One violation, as the generated code reports it. */
export interface Violation {
  readonly instancePath: string;
  readonly message: string;
}

/**
 * Says whether a value is a well-formed message, and repairs what the schema lets a reader repair:
 * malformed optional members and list items are removed from the value. After \`false\`, \`errors\`
 * holds the violations of the last call.
 */
export interface Validate {
  (value: unknown): boolean;
  errors?: readonly Violation[] | null;
}
`;
