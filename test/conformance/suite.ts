// Runs MCP's conformance suite and compares its results, check by check, with the expected ones.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { conformance, type Run, run, skip } from '../support/outside.ts'

export type Check = { id: string; status: string; errorMessage?: string }
/** The checks of each scenario that ran. */
type Findings = Map<string, Check[]>
export type Revision = '2025-06-18' | '2025-11-25' | '2026-07-28'
export type Expected = {
  passing: readonly string[]
  /**
   * For each scenario, the checks that do not succeed; none means that it finds nothing to check.
   */
  differing: readonly { because: string; scenarios: Readonly<Record<string, readonly string[]>> }[]
}

/** Runs a command of the suite; its results are read from the files that it writes. */
export async function findings(args: string[], options: Run = {}): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-conformance-'))
  try {
    const { stdout, stderr } = await run(conformance, [...args, '-o', folder], options)
    const found: Findings = new Map()
    for (const name of readdirSync(folder)) {
      const scenario = /^(?:server-|authorization-server-)?(.+?)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(
        name,
      )?.[1]
      const text = readFileSync(join(folder, name, 'checks.json'), 'utf8')
      if (scenario !== undefined) found.set(scenario, JSON.parse(text))
    }
    assert.ok(found.size > 0, `The suite has written no results: ${stdout}${stderr}`)
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Every scenario of one kind that the suite has, with the revisions that it is for. */
export async function scenarios(
  kind: '--server' | '--authorization',
): Promise<Map<string, string[]>> {
  const { stdout } = await run(conformance, ['list', kind])
  const lines = [...stdout.matchAll(/^ {2}- (\S+) \[(\S+)\]$/gm)]
  assert.ok(lines.length > 0, stdout)
  return new Map(lines.map(([, name = '', revisions = '']) => [name, revisions.split(',')]))
}

/** The ids of checks that did not succeed. An information counts as neither. */
function unsuccessful(checks: readonly Check[]): string[] {
  const ids = checks
    .filter(({ status }) => !['SUCCESS', 'INFO'].includes(status))
    .map(({ id }) => id)
  return [...new Set(ids)].sort()
}

/** The suite adds this check to every scenario, even for a server that does not exist. */
const everyones = 'wire-schema-valid'

function successes(checks: readonly Check[]): number {
  return checks.filter(({ id, status }) => status === 'SUCCESS' && id !== everyones).length
}

function words(checks: readonly Check[]): string {
  return checks
    .map(({ id, status, errorMessage }) => `${status} ${id} ${errorMessage ?? ''}`)
    .join('\n')
}

/**
 * One test for each scenario, which passes or differs in exactly the expected checks, and one test
 * that no scenario was added or removed.
 */
export function compareWithExpected(url: string, revision: Revision, expected: Expected): void {
  describe(revision, { skip }, () => {
    let found: Findings = new Map()
    before(async () => {
      found = await findings(['server', '--url', url, '--suite', 'all', '--spec-version', revision])
    })
    const differing = expected.differing.flatMap((one) => Object.keys(one.scenarios))
    it('runs every scenario that is expected, and no other', () => {
      assert.deepEqual([...found.keys()].sort(), [...expected.passing, ...differing].sort())
    })
    for (const scenario of expected.passing)
      it(scenario, () => {
        const checks = found.get(scenario) ?? []
        assert.deepEqual(unsuccessful(checks), [], words(checks))
        assert.ok(successes(checks) > 0, 'It checked nothing')
      })
    for (const { because, scenarios } of expected.differing)
      for (const [scenario, ids] of Object.entries(scenarios))
        it(`${scenario}, which differs: ${because}`, () => {
          const checks = found.get(scenario) ?? []
          assert.deepEqual(unsuccessful(checks), [...ids].sort(), words(checks))
          if (ids.length === 0) assert.equal(successes(checks), 0, words(checks))
        })
  })
}
