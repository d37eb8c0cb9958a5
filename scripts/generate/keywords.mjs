/**
 * The custom Ajv keywords that `rewrite.mjs` produces. All of them generate code; none needs Ajv at
 * run time. The leniency keywords change the value they are given.
 */
import { _, not, str } from 'ajv/dist/compile/codegen/index.js';
import { checkDataType } from 'ajv/dist/compile/validate/dataType.js';
import { Type } from 'ajv/dist/compile/util.js';
import { resetErrorsCount } from 'ajv/dist/compile/errors.js';

const silent = { createErrors: false, allErrors: false, compositeRule: true };

/** Adds every keyword to an Ajv instance. */
export function addKeywords(ajv) {
  for (const definition of [dropInvalid, emptyOnInvalid, emptyOnNull, skipInvalid]) {
    ajv.addKeyword(definition);
  }
  for (const definition of [variants, oneOfStrings, url]) ajv.addKeyword(definition);
  for (const keyword of ['variantTag', 'variantOther', 'variantUntagged']) {
    ajv.addKeyword({ keyword, valid: true });
  }
}

/** `x-deserialize-default-on-error` of an optional member: a malformed value is deleted. */
const dropInvalid = {
  keyword: 'dropInvalid',
  schemaType: 'object',
  trackErrors: true,
  code(cxt) {
    onInvalid(cxt, (parent, key) => cxt.gen.code(_`delete ${parent}[${key}]`));
  },
};

/** `x-deserialize-default-on-error` of a required list: a malformed value becomes `[]`. */
const emptyOnInvalid = {
  keyword: 'emptyOnInvalid',
  schemaType: 'object',
  trackErrors: true,
  code(cxt) {
    onInvalid(cxt, (parent, key) => cxt.gen.assign(_`${parent}[${key}]`, _`[]`));
  },
};

function onInvalid(cxt, repair) {
  const { gen, it } = cxt;
  const { parentData, parentDataProperty } = it;
  const test = simpleTest(cxt);
  if (test) {
    gen.if(not(test), () => repair(parentData, parentDataProperty));
    return;
  }
  const valid = gen.name('valid');
  cxt.subschema({ keyword: cxt.keyword, ...silent }, valid);
  gen.if(not(valid), () => {
    cxt.reset();
    repair(parentData, parentDataProperty);
  });
}

/** The test of a schema that is no more than types or a set of strings: most members are. */
function simpleTest({ schema, data }) {
  const { type, oneOfStrings: values, ...others } = schema;
  if (type === undefined || Object.keys(others).length > 0) return undefined;
  const types = [type].flat();
  if (values === undefined) return anyOfTests(types.map((name) => checkDataType(name, data, true)));
  const isNull = types.includes('null') ? [_`${data} === null`] : [];
  return anyOfTests([...isNull, ...stringTests(values, data)]);
}

function stringTests(values, data) {
  return values.map((value) => _`${data} === ${value}`);
}

function anyOfTests(tests) {
  return tests.reduce((all, test) => _`${all} || ${test}`);
}

/** `x-deserialize-default-on-null`: null becomes the empty value, all else is checked. */
const emptyOnNull = {
  keyword: 'emptyOnNull',
  schemaType: 'object',
  code(cxt) {
    const { gen, data, it, schema } = cxt;
    const empty = schema.type === 'object' ? _`{}` : _`[]`;
    const valid = gen.let('valid', true);
    gen.if(
      _`${data} === null`,
      () => gen.assign(_`${it.parentData}[${it.parentDataProperty}]`, empty),
      () => {
        const checked = gen.name('valid');
        cxt.subschema({ keyword: cxt.keyword }, checked);
        gen.assign(valid, checked);
      },
    );
    cxt.ok(valid);
  },
};

/** `x-deserialize-skip-invalid-items`: malformed items are taken out of the array, in place. */
const skipInvalid = {
  keyword: 'skipInvalid',
  type: 'array',
  schemaType: 'object',
  trackErrors: true,
  code(cxt) {
    const { gen, data } = cxt;
    const length = gen.const('len', _`${data}.length`);
    const kept = gen.let('kept', 0);
    const valid = gen.name('valid');
    gen.forRange('i', 0, length, (i) => {
      cxt.subschema(
        { keyword: cxt.keyword, dataProp: i, dataPropType: Type.Num, ...silent },
        valid,
      );
      const keep = () => {
        gen.if(_`${kept} !== ${i}`, () => gen.assign(_`${data}[${kept}]`, _`${data}[${i}]`));
        gen.code(_`${kept}++`);
      };
      // Forget the errors of each item at once: collecting them is quadratic in the list's length.
      gen.if(valid, keep, () => cxt.reset());
    });
    gen.if(_`${kept} !== ${length}`, () => gen.assign(_`${data}.length`, kept));
  },
};

/**
 * A union chosen by a string tag. `variants` maps tags to schemas; `variantOther` is the schema of
 * an unknown string tag; `variantUntagged` is tried when there is no known tag, and also when the
 * tagged variant does not fit: then the misleading tag is deleted, as the official SDK does.
 */
const variants = {
  keyword: 'variants',
  type: 'object',
  schemaType: 'object',
  trackErrors: true,
  code(cxt) {
    const { gen, data, schema, parentSchema } = cxt;
    const { variantTag, variantOther, variantUntagged } = parentSchema;
    const tag = gen.const('tag', _`${data}[${variantTag}]`);
    const valid = gen.let('valid', true);
    gen.if(false);
    for (const value of Object.keys(schema)) {
      gen.elseIf(_`${tag} === ${value}`);
      if (variantUntagged) tryTaggedThenUntagged(value);
      else check({ keyword: 'variants', schemaProp: value });
    }
    if (variantOther && variantUntagged) {
      gen.elseIf(_`typeof ${tag} == "string"`);
      check({ keyword: 'variantOther' });
    }
    if (variantOther || variantUntagged) {
      gen.else();
      check({ keyword: variantUntagged ? 'variantUntagged' : 'variantOther' });
    }
    gen.endIf();
    cxt.ok(valid);

    function check(subschema) {
      const checked = gen.name('valid');
      cxt.subschema(subschema, checked);
      gen.assign(valid, checked);
    }

    function tryTaggedThenUntagged(value) {
      check({ keyword: 'variants', schemaProp: value, compositeRule: true });
      gen.if(not(valid), () => {
        const count = gen.const('count', _`errors`);
        const fallback = gen.name('valid');
        cxt.subschema({ keyword: 'variantUntagged', ...silent }, fallback);
        gen.if(
          fallback,
          () => {
            cxt.reset();
            gen.code(_`delete ${data}[${variantTag}]`);
            gen.assign(valid, true);
          },
          () => resetErrorsCount(gen, count),
        );
      });
    }
  },
};

/** A closed set of strings, with the set in the message. */
const oneOfStrings = {
  keyword: 'oneOfStrings',
  type: 'string',
  schemaType: 'array',
  error: { message: ({ schema }) => str`must be one of ${schema.join(', ')}` },
  code(cxt) {
    cxt.pass(anyOfTests(stringTests(cxt.schema, cxt.data)));
  },
};

/** An absolute URL. */
const url = {
  keyword: 'url',
  type: 'string',
  schemaType: 'boolean',
  error: { message: 'must be a URL' },
  code(cxt) {
    cxt.pass(_`URL.canParse(${cxt.data})`);
  },
};
