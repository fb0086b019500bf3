// Alarms, runbooks, alert rules and the Grafana dashboard agree with the code: every alarm has a
// page, every command on a page exists, and every metric of a rule or panel is exported.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { startService } from '../../test/support/service.ts'
import { operations } from '../catalog.ts'
import { fieldsOf } from '../surfaces/pipeline/validate.ts'
import { alarmNames } from './alarm-names.ts'
import { metricsIn } from './prometheus.fixture.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = readdirSync(join(root, 'docs/runbooks'))
  .filter((file) => file !== 'README.md')
  .map((file) => file.replace(/\.md$/, ''))
const isAlarm = (name: string) => alarmNames.some((one) => one === name)

type Rule = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}
const rules: Rule[] = parse(read('docs/monitoring/alerts.yaml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
)
type Panel = { title: string; targets?: { expr: string }[] }
const dashboard: { schemaVersion: number; panels: Panel[] } = JSON.parse(
  read('docs/monitoring/grafana-dashboard.json'),
)
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** The names that `alarm` is called with in production code, and its other arguments. */
function alarmsInCode() {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.(test|fixture|gen)\.ts$/.test(file),
  )
  return files.flatMap((file) =>
    [...read(join('src', file)).matchAll(/\balarm(?:: | = )'([a-z0-9_]+)'/g)].map(
      ([, name = '']) => {
        return { file, name }
      },
    ),
  )
}

describe('every alarm', () => {
  test('of the code is listed, and the list has no other', () => {
    const found = new Set(alarmsInCode().map(({ name }) => name))
    assert.deepEqual([...alarmNames].sort(), [...found].sort(), 'src/metrics/alarm-names.ts')
  })

  test('has a page in docs/runbooks, which the index names', () => {
    const index = read('docs/runbooks/README.md')
    for (const name of alarmNames)
      assert.ok(pages.includes(name), `docs/runbooks/${name}.md is missing`)
    for (const page of pages) assert.ok(index.includes(`[${page}](${page}.md)`), page)
  })

  test('in the log has a fixed name, never a text', async () => {
    const logged = alarmsInCode()
    assert.ok(logged.length > 35, String(logged.length))
    for (const { file, name } of logged) assert.match(name, /^[a-z][a-z0-9_]+$/, file)
  })
})

describe('every runbook', () => {
  test('is about an alarm, or about an alert that names it', () => {
    const named = rules.map(({ annotations }) => annotations.runbook)
    for (const page of pages)
      assert.ok(isAlarm(page) || named.includes(`docs/runbooks/${page}.md`), page)
  })

  test('has its meaning, diagnosis, remedy and end', () => {
    for (const page of pages) {
      const text = read(`docs/runbooks/${page}.md`)
      const heads = [...text.matchAll(/^##? (.*)$/gm)].map(([, head]) => head)
      assert.deepEqual(heads, [page, 'Meaning', 'Look at', 'Do', 'Over when'])
      const severity = /^Severity: (page|ticket)\.$/m.exec(text)?.[1]
      assert.ok(severity, page)
      const index = read('docs/runbooks/README.md')
      assert.ok(index.includes(`| [${page}](${page}.md) | ${severity} |`), page)
    }
  })

  test('has only commands that exist, with fields that they take', () => {
    const usage = read('src/surfaces/cli.ts')
    let commands = 0
    for (const page of pages)
      for (const [line, name = '', rest = ''] of read(`docs/runbooks/${page}.md`).matchAll(
        /bin\/call ([a-z_-]+)([^`\n]*)/g,
      )) {
        commands += 1
        const operation = operations.find((one) => one.name === name)
        if (!operation) {
          assert.ok(usage.includes(`'bin/call ${name}`), `${page}: ${line}`)
          for (const [, option] of rest.matchAll(/(--[a-z]+)/g))
            assert.ok(usage.includes(`${name} ${option}`), `${page}: ${line}`)
          continue
        }
        const fields = fieldsOf(operation)
        const given = [...rest.matchAll(/ ([a-z_]+)=/g)].map(([, field = '']) => field)
        for (const field of given) assert.ok(fields.has(field), `${page}: ${line}`)
        if (!line.includes('=')) continue
        const required: unknown = Object(operation.takes).required
        for (const field of Array.isArray(required) ? required : [])
          assert.ok(given.includes(field), `${page}: ${line} lacks ${field}`)
      }
    assert.ok(commands > pages.length, String(commands))
  })
})

describe('every alert rule', () => {
  test('has a severity, a summary and the page of its runbook', () => {
    for (const { alert, labels, annotations } of rules) {
      assert.match(labels.severity, /^(page|ticket)$/, alert)
      assert.ok(annotations.summary.length > 10, alert)
      const [, page = ''] = /^docs\/runbooks\/(.+)\.md$/.exec(annotations.runbook) ?? []
      if (page === '{{ $labels.alarm }}') continue
      assert.ok(pages.includes(page), `${alert}: ${annotations.runbook}`)
      const severity = `Severity: ${labels.severity}.`
      const isOwn = !rules.some(
        (one) => one.alert !== alert && one.annotations.runbook === annotations.runbook,
      )
      if (isOwn && !isAlarm(page)) assert.ok(read(annotations.runbook).includes(severity), alert)
    }
  })

  test('for logged alarms pages for those whose runbook says so', () => {
    const expr = rules.find(({ alert }) => alert === 'AlarmLoggedPage')?.expr ?? ''
    const listed = /alarm=~"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? []
    const severe = alarmNames.filter((name) =>
      read(`docs/runbooks/${name}.md`).includes('Severity: page.'),
    )
    assert.deepEqual(listed.sort(), [...severe].sort())
    const others = rules.find(({ alert }) => alert === 'AlarmLoggedTicket')?.expr ?? ''
    assert.deepEqual(/alarm!~"([^"]+)"/.exec(others)?.[1]?.split('|').sort(), listed)
  })
})

/** The metrics that a query names; `up` and `job` are Prometheus's own. */
function metricsNamedIn(query: string): string[] {
  const plain = query.replaceAll(/"[^"]*"/g, '').replaceAll(/\{[^}]*\}/g, '')
  return [...plain.matchAll(/\b((?:agent_registrar|nodejs|process)_[a-z0-9_]+)\b/g)].map(
    ([, name = '']) => name,
  )
}

describe('every metric', async () => {
  const token = 'm'.repeat(40)
  const registrar = await startService({ worker: false, settings: { METRICS_TOKEN: token } })
  const { text } = await registrar.request('GET', '/metrics', { token })
  const exported = metricsIn(text)

  test('of a rule, a panel or a runbook is exported by a running service', () => {
    const runbooks = pages.map((page) => read(`docs/runbooks/${page}.md`))
    const all = [...rules.map(({ expr }) => expr), ...queries, ...runbooks].flatMap(metricsNamedIn)
    const names = new Set(all)
    assert.ok(names.size > 40, String(names.size))
    const missing = [...names].filter((name) => !exported.has(name))
    assert.deepEqual(missing, [])
  })

  test('of the service is in a rule or on the dashboard', () => {
    const used = new Set([...rules.map(({ expr }) => expr), ...queries].flatMap(metricsNamedIn))
    const families = [...exported].filter(
      (name) => name.startsWith('agent_registrar_') && !/_(bucket|sum|count)$/.test(name),
    )
    const unused = families.filter(
      (name) => !['', '_bucket', '_count', '_sum'].some((part) => used.has(`${name}${part}`)),
    )
    assert.deepEqual(unused, [])
  })

  test('has labels that its gauge has', () => {
    for (const query of [...rules.map(({ expr }) => expr), ...queries])
      for (const [, metric = '', labels = ''] of query.matchAll(
        /(agent_registrar_[a-z_]+)\{([^}]*)\}/g,
      )) {
        const of = new RegExp(`^${metric}\\{([^}]*)\\}`, 'm').exec(text)?.[1]
        if (of === undefined) continue
        for (const [, label = ''] of labels.matchAll(/([a-z]+)[=!]~?"/g))
          assert.match(of, new RegExp(`\\b${label}=`), `${query}: ${label}`)
      }
  })
})

test('the dashboard is of the schema that Grafana 13 reads, with distinct panels', () => {
  assert.equal(dashboard.schemaVersion, 42)
  const titles = dashboard.panels.map(({ title }) => title)
  assert.ok(titles.length > 20)
  assert.ok(queries.every((query) => query !== ''))
})

/** Debian's prometheus package has it, and CI installs that. */
async function promtool(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('promtool', words, {
    cwd: join(root, 'docs/monitoring'),
  })
  return stdout
}
const skip =
  process.env.CI === 'true' ||
  (await promtool('--version').then(
    () => true,
    () => false,
  ))
    ? false
    : 'promtool is not installed: apt-get install prometheus'

describe('promtool', { skip }, () => {
  test('finds no fault in the rules, and their unit tests pass', async () => {
    assert.match(await promtool('check', 'rules', 'alerts.yaml'), /SUCCESS: \d+ rules found/)
    assert.match(await promtool('test', 'rules', 'alerts.test.yaml'), /SUCCESS/)
  })

  test('parses every query of the dashboard', async () => {
    assert.ok(queries.length > 50, String(queries.length))
    const found = await checkQueries(queries)
    assert.match(found, new RegExp(`SUCCESS: ${queries.length} rules found`))
    await assert.rejects(checkQueries([...queries, 'sum by (job (up)']), /unexpected/)
  })
})

/**
 * Writes the expressions as recording rules, because promtool accepts only those. Grafana fills in
 * its variables.
 */
async function checkQueries(given: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-queries-'))
  const file = join(folder, 'queries.yaml')
  const named = given.map((query, at) => ({
    record: `dashboard:query_${at}`,
    expr: query.replaceAll('$__rate_interval', '5m'),
  }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: named }] }))
  try {
    return await promtool('check', 'rules', file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
