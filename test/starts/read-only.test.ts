// A node as deploy/ runs it: in production, as a user without a name or rights, on a project folder
// that nothing can write to, with its secrets in files. Only DATA_DIR and the temporary folder are
// writable. With EVERY_CASE=true also from the packages that the Dockerfile installs.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../src/kit/net/free-port.ts'
import { manifest, textOf } from '../programs/deploy/read-deploy.fixture.ts'
import { newDatabase } from '../support/database.ts'
import { type Program, root, startProgram } from '../support/program.ts'

const uid = 10_001
const operatorKey = `op_${'f'.repeat(40)}`
const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-read-only-'))
chmodSync(scratch, 0o755)
const tree = join(scratch, 'project')
const isRoot = process.getuid?.() === 0
assert.ok(isRoot || process.env.CI !== 'true', 'CI runs as root')
const skip = isRoot ? false : 'Only root may mount a folder and start a process as another user.'
const servers: Server[] = []
after(() => {
  for (const server of servers) server.close()
  spawnSync('umount', [tree])
  rmSync(scratch, { recursive: true, force: true })
})

/** A folder or a file of that user's alone. */
function give(path: string, text?: string): string {
  if (text === undefined) mkdirSync(path)
  else writeFileSync(path, text, { mode: 0o400 })
  chownSync(path, uid, uid)
  if (text === undefined) chmodSync(path, 0o700)
  return path
}

/** The content of the image, by the steps of the Dockerfile. */
function installedTree(): string {
  const built = join(scratch, 'built')
  const ignored = /^(\.git|\.ci|\.env|bench|deploy|docs|test|audit-verifier)|\.test\.ts$/
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  for (const file of files.filter((one) => one !== '' && !ignored.test(one))) {
    mkdirSync(dirname(join(built, file)), { recursive: true })
    cpSync(join(root, file), join(built, file))
  }
  const options = '--omit=dev --omit=optional --ignore-scripts --no-audit --no-fund'
  assert.ok(textOf('Dockerfile').includes(`npm ci ${options}`))
  execFileSync('npm', ['ci', ...options.split(' ')], { cwd: built, stdio: 'ignore' })
  for (const made of ['dashboard/dist', 'dashboard/dist.stamp'])
    cpSync(join(root, made), join(built, made), { recursive: true })
  return built
}

function mountReadOnly(source: string): void {
  mkdirSync(tree)
  execFileSync('mount', ['--bind', source, tree])
  execFileSync('mount', ['-o', 'remount,bind,ro', tree])
}

/** The test run's PostgreSQL, whose socket other users cannot reach, at a port of this machine. */
async function overTcp(url: string): Promise<string> {
  const { searchParams, username, pathname } = new URL(url)
  const folder = searchParams.get('host') ?? ''
  const server = createServer((client) => {
    const socket = connect(join(folder, '.s.PGSQL.5432'))
    client.on('error', () => socket.destroy()).pipe(socket)
    socket.on('error', () => client.destroy()).pipe(client)
  })
  servers.push(server)
  const port = await new Promise<number>((resolve, reject) => {
    server.on('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
    })
  })
  return `postgres://${username}@127.0.0.1:${port}${pathname}`
}

async function settings(): Promise<Record<string, string>> {
  const database = await overTcp(await newDatabase('template_of_tests'))
  const registries = join(scratch, 'registries.yaml')
  const nowhere = await freePort()
  writeFileSync(registries, textOf('registries.yaml').replace('port: 700', `port: ${nowhere}`))
  const secret = (name: string, text: string) => give(join(scratch, name), `${text}\n`)
  return {
    HOME: '/',
    TMPDIR: give(join(scratch, 'tmp')),
    DATA_DIR: give(join(scratch, 'data')),
    ENVIRONMENT: 'production',
    LOG_FORMAT: 'json',
    PUBLIC_URL: 'https://registrar.example',
    REGISTRIES_FILE: registries,
    EXAMPLE_HOST: '127.0.0.1',
    EXAMPLE_CLIENT_ID: 'registrar-1',
    EXAMPLE_PASSWORD_FILE: secret('password', 'hush-hush'),
    DATABASE_URL_FILE: secret('url', database),
    OPERATOR_KEY_FILE: secret('operator', operatorKey),
    ENCRYPTION_KEY_FILE: secret('encryption', Buffer.alloc(32, 7).toString('base64')),
  }
}

describe('a node on a read-only file system', { skip }, () => {
  let program: Program
  let port: number
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html, */*' } })

  /** The image's HEALTHCHECK. */
  async function health(): Promise<number> {
    const [, words = ''] = /CMD (\[.*fetch.*\])$/m.exec(textOf('Dockerfile')) ?? []
    const [, ...args]: string[] = JSON.parse(words)
    const child = spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: 'ignore' })
    const [code] = await once(child, 'close')
    return Number(code)
  }

  before(async () => {
    // The bundle as an install makes it; it cannot be made on the tree below.
    execFileSync(process.execPath, [join(root, 'dashboard/build.ts')])
    mountReadOnly(process.env.EVERY_CASE === 'true' ? installedTree() : root)
    port = await freePort()
    const user = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs']
    program = startProgram({
      command: ['setpriv', ...user, process.execPath, 'start.cjs'],
      cwd: tree,
      environment: { ...(await settings()), PORT: String(port) },
    })
    await program.line(/Health/)
  })

  test('is healthy for the image and for Kubernetes, and serves the dashboard', async () => {
    const [container] = manifest('Deployment').spec.template.spec.containers
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      assert.equal((await get(container[probe].httpGet.path)).status, 200, probe)
    assert.equal(await health(), 0)
    const page = await get('/dashboard/')
    assert.equal(page.status, 200)
    assert.match(await page.text(), /<script/)
    assert.match(await (await get('/v1/health')).text(), /"environment":"production"/)
  })

  test('writes to no place but its own folders', () => {
    // The tree is mounted read-only: an attempt would have failed, and been logged.
    assert.throws(() => writeFileSync(join(tree, 'LICENSE'), ''), { code: 'EROFS' })
    assert.ok(program.lines.every((line) => !/EROFS|EACCES|read-only/i.test(line)))
    assert.ok(readdirSync(join(scratch, 'data')).includes('audit-trusted-keys.pem'))
  })

  test('reads its secrets from files, and shows none of them', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/internal/ledger/trial-balance`, {
      headers: { authorization: `Bearer ${operatorKey}` },
    })
    assert.equal(response.status, 200)
    assert.ok(
      program.lines.every((line) => !line.includes('hush-hush') && !line.includes(operatorKey)),
    )
  })

  test('stops cleanly on SIGTERM, and is unhealthy then', async () => {
    program.child.kill('SIGTERM')
    assert.equal(await program.ended, 0)
    assert.equal(await health(), 1)
  })
})
