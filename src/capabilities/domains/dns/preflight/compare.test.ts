// The comparison of name servers, without sockets: the sets that are asked for, the answers of our
// records, and the kinds of a difference.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rrType } from '../../../../dns/types.ts'
import { recordSet, zoneSets } from '../records/records.fixture.ts'
import { compareSides } from './compare.ts'
import { presentPreflight } from './preflight-presenter.ts'
import { heldSet, type Question, questionsOf } from './questions.ts'
import { heldView, type View } from './views.ts'

const names = (asked: readonly Question[]) => asked.map(({ host, type }) => `${host} ${type}`)
const many = zoneSets(...Array.from({ length: 150 }, (_, i) => `h${i} A 192.0.2.1`))
const silent: View = {
  ...{ hosts: ['ns.silent'], state: 'serves', detail: null },
  ask: async () => undefined,
}

describe('the questions', () => {
  it('are the usual names and the sets that we hold, but for those below a delegation', () => {
    const sets = zoneSets(
      ...['mail MX 10 a.example.net.', 'sub NS ns.sub', 'ns.sub A 192.0.2.1'],
      ...['deep.er.sub TXT x', 'other A 192.0.2.2'],
    )
    const { asked, left_out } = questionsOf(sets, 120)
    assert.equal(left_out, 0)
    const list = names(asked)
    for (const one of [
      `@ ${rrType.mx}`,
      `www ${rrType.cname}`,
      `other ${rrType.a}`,
      `sub ${rrType.ns}`,
    ])
      assert.ok(list.includes(one), one)
    assert.ok(!list.some((one) => /^(ns|deep\.er)\.sub /.test(one)), list.join())
  })

  it('say how many were left out', () => {
    const { asked, left_out } = questionsOf(many, 120)
    assert.equal(asked.length, 120)
    assert.ok(left_out > 40)
    assert.equal(questionsOf(many, 5_000).left_out, 0)
  })
})

describe('our records', () => {
  const sets = zoneSets('* A 192.0.2.1', 'a.b A 192.0.2.2', '*.w TXT x', '@ A 192.0.2.3')
  for (const [host, type, expected] of [
    ['www', rrType.a, '*'],
    ['deep.er', rrType.a, '*'],
    ['www', rrType.aaaa, null],
    ['b', rrType.a, null],
    ['a.b', rrType.a, 'a.b'],
    ['x.b', rrType.a, null],
    ['x.w', rrType.txt, '*.w'],
    ['x.w', rrType.a, null],
    ['@', rrType.a, '@'],
    ['*', rrType.a, '*'],
  ] as const)
    it(`answer ${host} ${type} with ${expected ?? 'no set'}`, () => {
      assert.equal(heldSet(sets, { host, type })?.host ?? null, expected)
    })
})

describe('the comparison', () => {
  const sets = zoneSets('@ A 192.0.2.1', '@ MX 10 a.example.net.', 'www CNAME a.example.net.')
  const old = heldView(['ns.old'], sets)
  const asked = questionsOf(sets, 120).asked

  it('does not mind the order of values, nor the TTL', async () => {
    const same = zoneSets('@ MX 10 a.example.net.', 'www CNAME a.example.net.')
    same.set(`@ ${rrType.a}`, recordSet('@ A 192.0.2.1', 60))
    const { found } = await compareSides({ old, asked, views: [heldView(['ns.new'], same)] })
    assert.deepEqual(found, [])
  })

  it('takes no answer for an unknown one, never for a missing one', async () => {
    const { found } = await compareSides({ old, asked, views: [silent] })
    assert.deepEqual([...new Set(found.map(({ state }) => state))], ['unknown'])
    const unknown = await compareSides({ old: silent, asked, views: [old] })
    assert.equal(unknown.served, 0)
    assert.equal(unknown.unknown, asked.length)
  })

  it('ends early where one is missing, if it is brief', async () => {
    let count = 0
    const empty: View = {
      ...{ hosts: ['ns.new'], state: 'serves', detail: null },
      ask: async () => {
        count += 1
        return null
      },
    }
    await compareSides({ old, asked, views: [empty], isBrief: true })
    assert.equal(count, 2, 'the address, and an alias in its place')
  })

  it('says that all is served only where nothing was left out', async () => {
    const views = [heldView(['ns.new'], sets)]
    const compared = await compareSides({ old, asked, views })
    const facts = { old, views, own: [], hosts: ['ns.new'], compared }
    assert.equal(presentPreflight({ ...facts, left_out: 0 }).served, true)
    assert.equal(presentPreflight({ ...facts, left_out: 1 }).served, null)
  })
})
