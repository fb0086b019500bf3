// Every schema that the service compiles is JSON Schema 2020-12, and compiles: the service itself
// does not look at that again at each start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  fileSchema,
  registrySchemas,
} from '../../src/adapters/registry/config/registries-schema.ts'
import { operations } from '../../src/catalog.ts'

const ajv = new Ajv2020({ allErrors: true, useDefaults: true, strict: false, ownProperties: true })
// ajv-formats is CommonJS: under "nodenext" its default export is typed as the module.
addFormats.default(ajv)

const schemas: [string, object][] = [
  ...operations.flatMap(({ at, takes, gives }): [string, object][] => [
    [`${at} takes`, takes],
    [`${at} gives`, gives],
  ]),
  ['registries.yaml', fileSchema],
  ...Object.entries(registrySchemas),
]

test('a schema validates against the meta-schema, and compiles', () => {
  assert.ok(schemas.length > 2 * 40, `${schemas.length} schemas`)
  for (const [name, schema] of schemas) {
    assert.equal(ajv.validateSchema(schema), true, `${name}: ${ajv.errorsText()}`)
    assert.equal(typeof ajv.compile(schema), 'function', name)
  }
})

test('finds invalid schemas', () => {
  assert.equal(ajv.validateSchema({ type: 'strange' }), false)
  assert.throws(() => ajv.compile({ type: 'object', properties: 3 }))
})
