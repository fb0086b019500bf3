// Three small operations for tests of the surfaces: a public one with a cost, a list, and one that
// answers nothing.
import Type from 'typebox'
import { anyone, operation, owner } from '../../src/app.ts'
import { fault } from '../../src/kit/fault.ts'
import { withDefault } from '../../src/kit/schema.ts'

const brokenEcho = fault('echo_broken', 'conflict', {
  sentence: 'The echo is broken.',
  hint: 'Send other words.',
  facts: { words: Type.Array(Type.String()) },
})
const hints = {
  group: 'registration',
  destructive: false,
  idempotent: true,
  open_world: false,
} as const

/** "broken" is a fault, "bug" a mistake of ours. */
export const echo = operation({
  name: 'echo',
  does: 'Say the words again.',
  at: 'POST /v1/echo',
  area: 'Tests',
  who: anyone(),
  takes: Type.Object({
    words: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 200 }),
    loud: withDefault(Type.Boolean(), false),
  }),
  gives: Type.Object({ words: Type.Array(Type.String()), loud: Type.Boolean() }),
  fails: [brokenEcho],
  effect: 'none',
  cost: ({ words }) => words.length,
  tools: [
    { ...hints, group: 'availability and pricing', title: 'Echo', examples: [{ words: ['a'] }] },
  ],
  async run(input) {
    if (input.words.includes('broken')) throw brokenEcho({ facts: { words: input.words } })
    if (input.words.includes('bug')) throw new Error('a secret of the registrar')
    return input
  },
})

export const listThings = operation({
  name: 'list_things',
  does: 'List things.',
  at: 'GET /v1/things',
  area: 'Tests',
  who: owner('domains:read'),
  takes: Type.Object({ limit: withDefault(Type.Integer({ minimum: 1, maximum: 3 }), 3) }),
  gives: Type.Array(Type.Object({ id: Type.Integer() })),
  fails: [],
  effect: 'none',
  tools: [{ ...hints, title: 'List things', examples: [{}] }],
  run: async ({ limit }) => [{ id: 1 }, { id: 2 }, { id: 3 }].slice(0, limit),
})

export const dropThing = operation({
  name: 'drop_thing',
  does: 'Purge a thing.',
  at: 'DELETE /v1/things/{id}',
  area: 'Tests',
  who: owner('domains:purchase'),
  takes: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
  gives: Type.Null(),
  status: 204,
  fails: [],
  effect: 'transaction',
  target: ({ id }) => ({ target_type: 'thing', target: String(id) }),
  tools: [{ ...hints, title: 'Purge a thing', examples: [{ id: 1 }], destructive: true }],
  run: async () => null,
})
