// The edits that take a change of records back: of each set that was not changed since, and of no
// other.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FieldReader } from '../../../../kit/field-reader.ts'
import { planRecords, type SetDiff } from '../record-sets/plan-records.ts'
import { isSameSet, type RecordSet, setKey, titleOf } from '../record-sets/record-set.ts'
import { domain, recordSet, zoneSets } from './records.fixture.ts'
import { revertEdits } from './revert-records.ts'

const placed = (sets: readonly RecordSet[]) => sets.map((one) => ({ ...one, loc: [] }))
const stored = (sets: ReadonlyMap<string, RecordSet>) => ({
  sets: new Map([...sets].map(([key, one]) => [key, { ...one, updated_at: new Date(0) }])),
})
function changed(zone: ReadonlyMap<string, RecordSet>, ...lines: string[]) {
  const sets = placed(lines.map((line) => recordSet(line)))
  return planRecords(new FieldReader(), { domain, before: zone, edits: { sets } })
}
function reverted(zone: ReadonlyMap<string, RecordSet>, diff: readonly SetDiff[], prune: boolean) {
  const { sets, conflicts } = revertEdits(stored(zone), { changed: diff, prune })
  const plan = planRecords(new FieldReader(), { domain, before: zone, edits: { sets } })
  return { sets: plan.sets, conflicts }
}
const shown = (sets: ReadonlyMap<string, RecordSet>) =>
  [...sets.values()].map((one) => `${titleOf(one)} ${one.rdata.map(String).join()}`).sort()

describe('a revert', () => {
  it('brings back what was lost, and keeps what was added', () => {
    const before = zoneSets('a TXT "1" | "2"', 'b A 192.0.2.1')
    const { sets, diff } = changed(before, 'a TXT "2" | "3"', 'b A', 'c A 192.0.2.3')
    const back = reverted(sets, diff, false)
    assert.deepEqual(
      shown(back.sets),
      shown(zoneSets('a TXT "1" | "2" | "3"', 'b A 192.0.2.1', 'c A 192.0.2.3')),
    )
    assert.deepEqual(back.conflicts, [])
  })

  it('with prune makes the zone what it was', () => {
    const before = zoneSets('a TXT "1" | "2"', 'b A 192.0.2.1')
    const { sets, diff } = changed(before, 'a TXT "2" | "3"', 'b A', 'c A 192.0.2.3')
    assert.deepEqual(shown(reverted(sets, diff, true).sets), shown(before))
  })

  it('leaves alone a set that was changed since, and says so', () => {
    const before = zoneSets('a A 192.0.2.1', 'b A 192.0.2.1')
    const { sets, diff } = changed(before, 'a A 192.0.2.2', 'b A 192.0.2.2')
    const later = changed(sets, 'a A 192.0.2.3').sets
    const back = reverted(later, diff, true)
    assert.deepEqual(shown(back.sets), shown(zoneSets('a A 192.0.2.3', 'b A 192.0.2.1')))
    assert.deepEqual(back.conflicts, [{ host: 'a', type: 'A', reason: 'changed_since' }])
  })

  it('does not put back what a CNAME of the same change stands against, unless it prunes', () => {
    const before = zoneSets('www A 192.0.2.1')
    const { sets, diff } = changed(before, 'www A', 'www CNAME a.')
    const kept = reverted(sets, diff, false)
    assert.deepEqual(kept.conflicts, [{ host: 'www', type: 'A', reason: 'needs_prune' }])
    assert.deepEqual(shown(kept.sets), shown(sets))
    assert.deepEqual(shown(reverted(sets, diff, true).sets), shown(before))
  })
})

describe('a revert of values that cannot be side by side', () => {
  it('needs prune: two SPF policies, more than 100 values, or a set that is too large', () => {
    const texts = (from: number, count: number, more = '') =>
      Array.from({ length: count }, (_, at) => `"${from + at}${more}"`).join(' | ')
    const changes: [string, string][] = [
      ['a TXT "v=spf1 a -all" | "x"', 'a TXT "v=spf1 mx -all" | "x"'],
      [`a TXT ${texts(0, 60)}`, `a TXT ${texts(1_000, 60)}`],
      [`a TXT ${texts(0, 40, 'x'.repeat(240))}`, `a TXT ${texts(1_000, 40, 'x'.repeat(240))}`],
    ]
    for (const [from, to] of changes) {
      const before = zoneSets(from, 'b A 192.0.2.1')
      const { sets, diff } = changed(before, to, 'b A')
      const back = reverted(sets, diff, false)
      assert.deepEqual(back.conflicts, [{ host: 'a', type: 'TXT', reason: 'needs_prune' }])
      assert.deepEqual(shown(back.sets), shown(zoneSets(to, 'b A 192.0.2.1')))
      assert.deepEqual(shown(reverted(sets, diff, true).sets), shown(before))
    }
  })
})

const line = fc
  .tuple(
    fc.constantFrom('a', 'b', 'c'),
    fc.constantFrom('TXT', 'TYPE65400'),
    fc.uniqueArray(fc.constantFrom('"1"', '"2"', '"3"'), { maxLength: 3 }),
  )
  .map(([host, type, values]) => {
    const texts = type === 'TXT' ? values : values.map((one) => `\\# 1 0${one[1]}`)
    return [host, type, texts.join(' | ')].join(' ').trim()
  })
const lines = fc.uniqueArray(line, {
  maxLength: 6,
  selector: (one) => one.split(' ').slice(0, 2).join(' '),
})
const zone = lines.map((all) => zoneSets(...all.filter((one) => one.split(' ').length > 2)))

describe('for all zones and changes a revert', () => {
  it('with prune gives the zone of before, a second one changes nothing', () => {
    fc.assert(
      fc.property(zone, lines, (before, change) => {
        const { sets, diff } = changed(before, ...change)
        const back = reverted(sets, diff, true)
        assert.deepEqual(shown(back.sets), shown(before))
        assert.deepEqual(shown(reverted(back.sets, diff, true).sets), shown(before))
      }),
    )
  })

  it('keeps what was changed since, and loses no value of before', () => {
    fc.assert(
      fc.property(zone, lines, lines, (before, change, later) => {
        const { sets, diff } = changed(before, ...change)
        const now = changed(sets, ...later).sets
        const back = reverted(now, diff, false)
        for (const one of diff) {
          const key = setKey(one)
          const wasTouched =
            !isSameSet(now.get(key), one.after) && !isSameSet(now.get(key), one.before)
          if (wasTouched) assert.ok(isSameSet(back.sets.get(key), now.get(key)))
          else
            for (const value of one.before?.rdata ?? [])
              assert.ok(back.sets.get(key)?.rdata.some((own) => own.equals(value)))
        }
      }),
    )
  })
})
