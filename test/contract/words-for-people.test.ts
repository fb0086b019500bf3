// Words of the API on pages: each error has a next step for people, and no sentence, next step or
// message that a page shows names a field, a tool or a route.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { hints, sentences } from '../../dashboard/src/messages/hints/all-hints.ts'
import { fieldProblem } from '../../dashboard/src/messages/problems/field-problems.ts'
import {
  isHintForPeople,
  isSentenceForPeople,
} from '../../dashboard/src/messages/problems/for-people.ts'
import { detailOf } from '../../src/surfaces/pipeline/validation-errors.ts'

const root = join(import.meta.dirname, '../..')

/** Code and sentence of every error, by the page that is made from the definitions. */
const errors = Array.from(
  readFileSync(join(root, 'docs/errors.md'), 'utf8').matchAll(/^\| `(\w+)` \| \d+ \| (.*) \|$/gm),
  ([, code = '', sentence = '']) => ({ code, sentence }),
)

describe('an error on a page', () => {
  it('has a next step for people, whichever it is', () => {
    assert.ok(errors.length > 200, `${errors.length} errors`)
    assert.deepEqual(
      errors.filter(({ code }) => !hints.has(code)).map(({ code }) => code),
      [],
    )
  })

  it('has no next step that is not an error any more', () => {
    // The dashboard has codes of its own.
    const own = new Set(['unreachable', 'invalid'])
    const known = new Set(errors.map(({ code }) => code))
    assert.deepEqual(
      [...hints.keys()].filter((code) => !known.has(code) && !own.has(code)),
      [],
    )
  })

  it('names no field, tool or route', () => {
    const shown = errors.map(({ code, sentence }) => sentences.get(code) ?? sentence)
    assert.deepEqual(
      shown.filter((sentence) => !isSentenceForPeople(sentence)),
      [],
    )
    assert.deepEqual(
      [...hints.values()].filter((hint) => !isHintForPeople(hint)),
      [],
    )
  })
})

/** Schemas with a value that fails by each keyword of the schema validator. */
const failing: readonly (readonly [schema: object, value: unknown])[] = [
  [{ type: 'object', required: ['max_price'] }, {}],
  [{ type: 'object', additionalProperties: false }, { max_price: 1 }],
  [{ type: 'object', minProperties: 1 }, {}],
  ...['string', 'integer', 'number', 'boolean', 'array', 'object'].map(
    (type): readonly [object, unknown] => [
      { type, examples: ['period_years'] },
      type === 'string' ? 1 : 'text',
    ],
  ),
  [{ type: 'string', minLength: 1 }, ''],
  [{ type: 'string', minLength: 8 }, 'short'],
  [{ type: 'string', maxLength: 2 }, 'long'],
  [{ type: 'string', pattern: '^[a-z_]+$' }, '!'],
  [{ type: 'string', enum: ['api_key', 'app'] }, 'other'],
  [{ type: 'integer', minimum: 1 }, 0],
  [{ type: 'integer', maximum: 10 }, 11],
  [{ type: 'integer', exclusiveMinimum: 0 }, 0],
  [{ type: 'array', minItems: 1 }, []],
  [{ type: 'array', minItems: 2 }, [1]],
  [{ type: 'array', maxItems: 1 }, [1, 2]],
  [{ type: 'array', uniqueItems: true }, [1, 1]],
]

function ofSchemas() {
  const ajv = new Ajv2020({ strict: false, verbose: true })
  return failing.flatMap(([schema, value]) => {
    assert.ok(!ajv.validate(schema, value), JSON.stringify(schema))
    return (ajv.errors ?? []).flatMap((error) => detailOf(error, () => 'body') ?? [])
  })
}

/** One or more literals that are joined. */
const literals = /((?:\s*(?:'(?:[^'\\\n]|\\.)*'|`[^`]*`)\s*\+?)+)/
const start = /(?:\bmsg(?:: | = |: \w+ \?\? )|problem: |refuse\(\s*\[[^\]]*\],\s*)/
const end = /(?:,\s*(?:type: )?'(\w+)')?/
const message = new RegExp(start.source + literals.source + end.source, 'g')

/** Messages of rules beside the schemas, from the sources; a value stands for each placeholder. */
function ofSources() {
  return globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !/test\.ts$|fixture/.test(file))
    .flatMap((file) =>
      Array.from(
        readFileSync(join(root, file), 'utf8').matchAll(message),
        ([, text = '', type = 'value_error']) => ({ msg: wordsIn(text), type }),
      ),
    )
}

function wordsIn(joined: string): string {
  return joined
    .trim()
    .split(/\s*\+\s*(?=['`])/)
    .map((literal) => literal.slice(1, -1))
    .join('')
    .replaceAll(/\$\{[^}]*\}/g, '3')
    .replaceAll("\\'", "'")
}

/** Words for programs: a person types no strings, items or inputs. */
const ofProgrammers = /\b(?:strings?|inputs?|characters?|items?|values?|objects?|lists?|pattern)\b/i

describe('a message of a field', () => {
  const all = [...ofSchemas(), ...ofSources()]

  it('has been found for each type', () => {
    const types = new Set(all.map(({ type }) => type))
    for (const type of ['missing', 'string_too_long', 'url', 'amount_limits', 'dns_host'])
      assert.ok(types.has(type), type)
    assert.ok(all.length > 50, `${all.length} messages`)
  })

  it('names no field or route, and speaks as people do', () => {
    const shown = all.map((one) => ({ ...one, shown: fieldProblem(one) }))
    assert.deepEqual(
      shown.filter(({ shown }) => !isHintForPeople(shown) || ofProgrammers.test(shown)),
      [],
    )
  })
})
