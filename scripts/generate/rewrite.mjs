/**
 * Turns the definitions of the published schema into equivalent ones that compile to small and fast
 * code: enumerations become string sets, tagged unions become a choice by tag, the leniency marks
 * become keywords around the schema they belong to, formats become ranges. A keyword, mark or
 * format that is not handled here is an error, so a newer schema cannot be misread in silence.
 */
import { KEEP_UNKNOWN_VARIANTS, READ_AS_STRING } from './deviations.mjs';

const ANNOTATIONS = ['title', 'description', 'default', 'x-docs-ignore', 'x-side', 'x-method'];
const PLAIN = ['type', 'const', 'minimum', 'maximum', 'minLength', 'required'];
const DROP_ON_ERROR = 'x-deserialize-default-on-error';
const SKIP_ITEMS = 'x-deserialize-skip-invalid-items';
const EMPTY_ON_NULL = 'x-deserialize-default-on-null';

const FORMATS = {
  uint16: { minimum: 0, maximum: 65_535 },
  uint32: { minimum: 0, maximum: 4_294_967_295 },
  uint64: { minimum: 0 },
  int32: { minimum: -2_147_483_648, maximum: 2_147_483_647 },
  int64: {},
  double: {},
  uri: { url: true },
};

/**
 * Rewrites the named definitions and all that they refer to. Definitions that say the same share one
 * schema. Returns that schema's name for every definition, and the schemas by name.
 */
export function rewriteDefinitions(defs, roots) {
  const done = new Map();
  const pending = [...roots];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (done.has(name)) continue;
    const rewritten = createRewriter(defs, (used) => pending.push(used)).definition(name);
    done.set(name, rewritten);
  }
  return shareEqual(new Map([...done].sort(([a], [b]) => (a < b ? -1 : 1))));
}

function shareEqual(schemas) {
  const nameOf = new Map([...schemas.keys()].map((name) => [name, name]));
  for (let size = -1; size !== schemas.size;) {
    size = schemas.size;
    const firstWith = new Map();
    for (const [name, schema] of schemas) {
      const text = JSON.stringify(schema);
      const first = firstWith.get(text);
      firstWith.set(text, first ?? name);
      if (first === undefined) continue;
      schemas.delete(name);
      for (const [alias, target] of nameOf) if (target === name) nameOf.set(alias, first);
    }
    for (const [name, schema] of schemas) schemas.set(name, renameReferences(schema, nameOf));
  }
  return { nameOf, schemas };
}

function renameReferences(schema, nameOf) {
  const rename = (key, value) => (key === '$ref' ? nameOf.get(value) : value);
  return JSON.parse(JSON.stringify(schema), rename);
}

function createRewriter(defs, onUse) {
  return { definition };

  function definition(name) {
    if (!Object.hasOwn(defs, name)) throw new Error(`the schema has no definition ${name}`);
    if (READ_AS_STRING.has(name)) return { type: 'string' };
    return rewrite(defs[name], name);
  }

  function rewrite(node, where) {
    const schema = withoutAnnotations(node);
    const out = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (PLAIN.includes(keyword)) merge(out, { [keyword]: value }, where);
      else if (keyword === '$ref') merge(out, reference(value, where), where);
      else if (keyword === 'allOf') {
        for (const part of value) merge(out, rewrite(part, where), where);
      } else if (keyword === 'format') merge(out, format(value, where), where);
      else if (keyword === 'properties') {
        merge(out, { properties: properties(schema, where) }, where);
      } else if (keyword === 'items') out[items(schema)] = rewrite(value, `${where}/items`);
      else if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
        if (value !== true) out[keyword] = rewrite(value, `${where}/${keyword}`);
      } else if (keyword === 'anyOf' || keyword === 'oneOf') {
        merge(out, union(schema, value, where), where);
      } else if (keyword !== SKIP_ITEMS && keyword !== 'discriminator') {
        throw new Error(`${where}: keyword ${keyword} is not handled`);
      }
    }
    if (Object.keys(out).length === 2 && out.$ref && out.type === 'object') delete out.type;
    return out;
  }

  function reference(ref, where) {
    const match = /^#\/\$defs\/(\w+)$/.exec(ref);
    if (!match) throw new Error(`${where}: reference ${ref} is not handled`);
    const target = definition(match[1]);
    if (isLeaf(target)) return target;
    onUse(match[1]);
    return { $ref: match[1] };
  }

  function properties({ properties: members, required = [] }, where) {
    const out = {};
    for (const [name, member] of Object.entries(members)) {
      const schema = property(member, required.includes(name), `${where}/${name}`);
      if (Object.keys(schema).length > 0) out[name] = schema;
    }
    return out;
  }

  function property(member, isRequired, where) {
    const { [DROP_ON_ERROR]: dropOnError, [EMPTY_ON_NULL]: emptyOnNull, ...rest } = member;
    const schema = rewrite(rest, where);
    if (emptyOnNull) return { emptyOnNull: schema };
    if (!dropOnError || Object.keys(schema).length === 0) return schema;
    if (!isRequired) return { dropInvalid: schema };
    if (schema.type !== 'array') throw new Error(`${where}: no empty value for a required member`);
    return { emptyOnInvalid: schema };
  }

  function union(schema, branches, where) {
    const parts = branches.map(withoutAnnotations);
    const values = stringSet(parts);
    if (values) return values;
    const tag = schema.discriminator?.propertyName ?? tagOf(parts);
    if (tag !== undefined) return taggedUnion(parts, tag, where);
    const rewritten = parts.map((part) => rewrite(part, where));
    if (rewritten.length === 1) return rewritten[0];
    const types = rewritten.map((part) => (isTypeOnly(part) ? part.type : undefined));
    if (!types.includes(undefined)) return { type: [...new Set(types.flat())] };
    const isNull = (part) => isTypeOnly(part) && part.type === 'null';
    const [first, ...others] = rewritten.filter((part) => !isNull(part));
    if (others.length === 0 && first.oneOfStrings) return { ...first, type: ['null', 'string'] };
    return { anyOf: [...rewritten.filter(isNull), ...rewritten.filter((part) => !isNull(part))] };
  }

  function taggedUnion(parts, tag, where) {
    const out = { variants: {}, variantTag: tag };
    for (const part of parts) {
      const value = part.properties?.[tag];
      if (!value) set(out, 'variantUntagged', rewrite(part, where), where);
      else if (value.const) out.variants[value.const] = rewrite(withoutTag(part, tag), where);
      else set(out, 'variantOther', rewrite(withoutTag(part, tag), where), where);
    }
    if (out.variantUntagged) return { ...out, type: 'object' };
    const known = Object.keys(out.variants);
    const isOpen = out.variantOther !== undefined || KEEP_UNKNOWN_VARIANTS.has(where);
    const tagSchema = { type: 'string', ...(isOpen ? {} : { oneOfStrings: known }) };
    return { ...out, type: 'object', required: [tag], properties: { [tag]: tagSchema } };
  }
}

function withoutAnnotations(node) {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !ANNOTATIONS.includes(key)));
}

/** A variant without its tag; the choice by tag has checked that already. */
function withoutTag({ not: _excluded, properties, required, ...part }, tag) {
  const { [tag]: _tag, ...others } = properties;
  const rest = (required ?? []).filter((name) => name !== tag);
  return {
    ...part,
    ...(Object.keys(others).length > 0 ? { properties: others } : {}),
    ...(rest.length > 0 ? { required: rest } : {}),
  };
}

/** The member that carries a constant in some of the branches. */
function tagOf(parts) {
  const isTag = ([, member]) => member.const !== undefined;
  const tags = parts.flatMap((part) => Object.entries(part.properties ?? {}).filter(isTag));
  return tags[0]?.[0];
}

/** A union of string constants, or of those and any other string. */
function stringSet(parts) {
  if (!parts.every((part) => part.type === 'string')) return undefined;
  const values = parts.map((part) => part.const);
  if (values.includes(undefined)) return { type: 'string' };
  return { type: 'string', oneOfStrings: values };
}

function items(schema) {
  return schema[SKIP_ITEMS] ? 'skipInvalid' : 'items';
}

function format(name, where) {
  if (!Object.hasOwn(FORMATS, name)) throw new Error(`${where}: format ${name} is not handled`);
  return FORMATS[name];
}

function isLeaf(schema) {
  return !['$ref', 'anyOf', 'properties', 'variants', 'items'].some((key) => key in schema);
}

function isTypeOnly(schema) {
  return Object.keys(schema).join() === 'type';
}

function set(target, key, value, where) {
  if (key in target) throw new Error(`${where}: more than one ${key}`);
  target[key] = value;
}

/** Adds the keywords of `part` to `target`; both must hold. */
function merge(target, part, where) {
  for (const [key, value] of Object.entries(part)) {
    if (!(key in target)) target[key] = value;
    else if (key === 'properties') target[key] = { ...target[key], ...value };
    else if (key === 'required') target[key] = [...new Set([...target[key], ...value])];
    else if (JSON.stringify(target[key]) !== JSON.stringify(value)) {
      throw new Error(`${where}: two meanings of ${key}`);
    }
  }
}
