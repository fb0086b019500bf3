// The package as a program gets it: packed, installed without a network into an empty folder,
// compiled by a strict TypeScript consumer, and run by plain Node against a running service; so are
// the programs of its README and of the page of recipes.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { promisify } from 'node:util'
import { startService } from '../support/service.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const consumer = `
import { createRegistrarClient, NotFoundError, paginate } from 'agent-registrar-sdk'
import type { DomainListEntry } from 'agent-registrar-sdk'

const { BASE_URL: baseUrl = '', API_KEY: apiKey = '' } = process.env
const registrar = createRegistrarClient({ baseUrl, apiKey })
const body = { domain: 'sdk-package.com' }
const bought = await registrar.registerDomain({ body })
const operation = await registrar.waitForOperation(bought)
const names: string[] = []
const show = (one: DomainListEntry) => names.push(one.domain)
for await (const one of paginate(registrar.listDomains, { query: { limit: 1 } })) show(one)
const missing = await registrar
  .getDomain({ path: { domain: 'not-mine.com' } })
  .catch((error: unknown) => error instanceof NotFoundError && error.nextAction?.type)
console.log(JSON.stringify({ state: operation.state, names, missing }))
// @ts-expect-error A purchase names its domain.
const wrong = () => registrar.registerDomain({ body: {} })
export { wrong }
`

it('buys a domain from an installed package, compiled strictly', async () => {
  const registrar = await startService()
  const folder = await mkdtemp(join(tmpdir(), 'sdk-package-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const pack = ['pack', './sdk', '--json', '--pack-destination', folder]
  const packed = await run('npm', pack, { cwd: root })
  const [archive] = (await run('ls', [folder])).stdout.trim().split('\n')
  assert.match(String(archive), /^agent-registrar-sdk-.*\.tgz$/, packed.stderr)
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
  const install = ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`]
  await run('npm', install, { cwd: folder })
  const listed = JSON.parse((await run('npm', ['ls', '--all', '--json'], { cwd: folder })).stdout)
  assert.deepEqual(Object.keys(listed.dependencies), ['agent-registrar-sdk'])
  assert.equal(listed.dependencies['agent-registrar-sdk'].dependencies, undefined)
  const installed = join(folder, 'node_modules/agent-registrar-sdk')
  const files = (await run('find', [installed, '-type', 'f'])).stdout.trim().split('\n')
  const odd = files
    .map((file) => file.slice(installed.length + 1))
    .filter((file) => !/^dist\/.*\.(js|d\.ts)$|^(package\.json|README\.md|LICENSE)$/.test(file))
  assert.deepEqual(odd, [], 'nothing but dist and the papers is packed')
  assert.match(await readFile(join(installed, 'README.md'), 'utf8'), /createRegistrarClient/)
  await writeFile(join(folder, 'consumer.ts'), consumer)
  const strict = '--strict --module nodenext --target es2022 --lib es2023,dom --types node'
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--skipLibCheck', 'false']
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const compile = [tsc, ...strict.split(' '), ...types, 'consumer.ts']
  await run(process.execPath, compile, { cwd: folder }).catch((error) => {
    assert.fail(`${error.stdout}${error.stderr}`)
  })
  const { key: API_KEY } = await registrar.customer({ funds_cents: 5_000 })
  const { stdout } = await run(process.execPath, ['consumer.js'], {
    cwd: folder,
    env: { PATH: process.env.PATH, BASE_URL: registrar.url, API_KEY },
  })
  assert.deepEqual(JSON.parse(stdout), {
    state: 'succeeded',
    names: ['sdk-package.com'],
    missing: 'fix_request',
  })
  const { text: page } = await registrar.request('GET', '/docs/frameworks')
  const [, recipe = ''] = /sdk\.mjs<\/p>\s*<pre[^>]*><code>([^<]*)</.exec(page) ?? []
  const readme = await readFile(join(installed, 'README.md'), 'utf8')
  const [lines = ''] = /(?:^(?: {4}.*)?\n)+/m.exec(readme.slice(readme.indexOf('    import'))) ?? []
  const programs = {
    'sdk-recipe.com': recipe.replaceAll('&#39;', "'").replaceAll('&gt;', '>'),
    'sdk-readme.com':
      `const apiKey = process.env.API_KEY\n` +
      lines.replace('https://registrar.example', registrar.url),
  }
  for (const [domain, program] of Object.entries(programs)) {
    assert.match(program, /createRegistrarClient[\s\S]*my-agent\.com/)
    await writeFile(join(folder, 'shown.mjs'), program.replace('my-agent.com', domain))
    await run(process.execPath, ['shown.mjs'], { cwd: folder, env: { API_KEY } })
    const { body } = await registrar.request('GET', `/v1/domains/${domain}`, { token: API_KEY })
    assert.equal(body.status, 'active', program)
  }
})
