// The files of deploy/ against the schemas and checkers of the programs that read them, and against
// the service's own settings. Each check is shown a broken file, too. No image is built here and no
// cluster asked: no engine runs where these tests do.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { loadRegistriesFile } from '../../../src/adapters/registry/config/registries-file.ts'
import { documentedSettings, readSettings } from '../../../src/config/config.ts'
import { installed, skip } from '../../support/outside.ts'
import {
  composeFile,
  folder,
  manifest,
  manifests,
  registryVariables,
  textOf,
  variablesSet,
} from './read-deploy.fixture.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-deploy-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

/** Why a test is skipped if a program of the system is missing, which never happens in CI. */
function without(program: string, what: string): string | false {
  return existsSync(program) || process.env.CI === 'true' ? false : `No ${what} on this machine.`
}

function written(name: string, text: string): string {
  const path = join(scratch, name)
  writeFileSync(path, text)
  return path
}

describe('settings', () => {
  /** Settings of other programs, which are Node's own. */
  const others = ['NODE_ENV', 'NODE_COMPILE_CACHE']
  const settings = documentedSettings().map(({ name }) => name)
  const known = new Set([...settings, ...registryVariables(), ...others])
  const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_FILE$/, ''))

  for (const [file, names] of Object.entries(variablesSet()))
    test(`every variable in ${file} is one that the service reads`, () => {
      assert.ok(names.length >= 6, names.join())
      assert.deepEqual(
        names.filter((name) => !isKnown(name)),
        [],
      )
    })

  test('each way gives the values that a node needs, and secrets as files alone', () => {
    const { Dockerfile: image = [], ...ways } = variablesSet()
    const unit = [
      ...(ways['systemd/agent-registrar.service'] ?? []),
      ...(ways['systemd/environment.example'] ?? []),
    ]
    const needed = ['PUBLIC_URL', 'TRUSTED_PROXIES', 'MAIL_FROM', 'ABUSE_CONTACT', 'DATA_DIR']
    const secret = /(_KEY|_TOKEN|_PASSWORD|_SECRET|^DATABASE_URL)$/
    for (const names of [
      [...image, ...(ways['compose.yaml'] ?? [])],
      [...image, ...(ways.kubernetes ?? [])],
      unit,
    ]) {
      for (const name of [...needed, 'DATABASE_URL_FILE', 'ENCRYPTION_KEY_FILE'])
        assert.ok(names.includes(name), name)
      assert.deepEqual(
        names.filter((name) => secret.test(name)),
        [],
      )
    }
  })

  test('the values are accepted, and so is the registries file', () => {
    const secrets = written('secret', 'x'.repeat(43))
    const key = written('key', Buffer.alloc(32).toString('base64'))
    const files = {
      DATABASE_URL_FILE: secrets,
      ENCRYPTION_KEY_FILE: key,
      EXAMPLE_PASSWORD_FILE: secrets,
      POWERDNS_API_KEY_FILE: secrets,
    }
    const kept = Object.entries<string>(composeFile().services.node1.environment)
    const compose = Object.fromEntries(
      kept
        .filter(([name]) => !name.endsWith('_FILE') || name === 'REGISTRIES_FILE')
        .map(([name, value]) => [name, value.replaceAll(/\$\{PUBLIC_HOST[^}]*\}/g, 'a.example')]),
    )
    for (const variables of [compose, manifest('ConfigMap').data]) {
      const settings = readSettings({
        ...variables,
        ...files,
        ENVIRONMENT: 'production',
      })
      assert.match(settings.base_url, /^https:/)
      const { registries } = loadRegistriesFile(join(folder, 'registries.yaml'), settings.variable)
      assert.equal(registries.length, 1)
    }
  })
})

describe('the Dockerfile', { skip }, () => {
  test('has no error of syntax, and ends as a user without rights', async () => {
    const { validate } = await import(join(installed, 'dockerfile-utils/lib/main.js'))
    assert.deepEqual(validate(textOf('Dockerfile')), [])
    const broken = textOf('Dockerfile').replace('--interval', '--intervall')
    assert.match(validate(broken)[0].message, /Unknown flag: intervall/)
    const users = [...textOf('Dockerfile').matchAll(/^USER (.*)$/gm)].map(([, user]) => user)
    assert.deepEqual(users, ['10001:10001'])
  })
})

describe('the compose file', { skip }, () => {
  test('fits the Compose specification, and a typo does not', async () => {
    const file = readFileSync(join(installed, 'dclint/schemas/compose.schema.json'), 'utf8')
    const { $schema: _, ...schema } = JSON.parse(file)
    const any = /^/
    const formats = { expose: any, ports: any, duration: any, subnet_ip_address: any }
    const fits = new Ajv({ strict: false, formats }).compile(schema)
    assert.equal(fits(composeFile()), true, JSON.stringify(fits.errors))
    const broken = composeFile(textOf('compose.yaml').replace('cap_drop', 'cap_dropp'))
    assert.equal(fits(broken), false)
  })

  test('every secret, config, volume and network that a service names is declared', () => {
    const file = composeFile()
    for (const [name, service] of Object.entries<typeof file>(file.services)) {
      const configs: { source: string }[] = service.configs ?? []
      const volumes: string[] = service.volumes ?? []
      const used: [string, string[]][] = [
        ['secrets', service.secrets ?? []],
        ['configs', configs.map(({ source }) => source)],
        ['volumes', volumes.map((one) => one.split(':')[0] ?? '')],
        [
          'networks',
          Array.isArray(service.networks) ? service.networks : Object.keys(service.networks),
        ],
      ]
      for (const [kind, names] of used)
        for (const one of names) assert.ok(one in file[kind], `${name}: ${kind} ${one}`)
    }
    for (const { file: path } of Object.values<{ file: string }>(file.configs))
      assert.ok(existsSync(join(folder, path)), path)
    for (const { file: path } of Object.values<{ file: string }>(file.secrets))
      assert.match(path, /^secrets\//)
  })

  test('the file of each secret that a setting names is among its secrets', () => {
    const { environment, secrets } = composeFile().services.node1
    for (const value of Object.values<string>(environment))
      if (value.startsWith('/run/secrets/')) assert.ok(secrets.includes(value.slice(13)), value)
  })
})

describe('the systemd unit', { skip: without('/usr/bin/systemd-analyze', 'systemd') }, () => {
  const unit = textOf('systemd/agent-registrar.service')
    // The only path that does not exist everywhere.
    .replace('/usr/bin/node', process.execPath)

  function analyze(text: string, ...words: string[]) {
    const path = written('agent-registrar.service', text)
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...words, path])
    return { status, text: `${stdout}${stderr}` }
  }

  test('is understood in every line', () => {
    const verify = (text: string) => analyze(text, 'verify', '--man=no', '--recursive-errors=yes')
    assert.deepEqual(verify(unit), { status: 0, text: '' })
    const broken = verify(unit.replace('ProtectHome', 'ProtectHomes'))
    assert.notEqual(broken.status, 0)
    assert.match(broken.text, /ProtectHomes/)
  })

  test('keeps the exposure of the service below 2 of 10', () => {
    const security = (text: string) =>
      analyze(text, 'security', '--offline=true', '--threshold=20', '--no-pager')
    const { status, text } = security(unit)
    assert.equal(status, 0, text.slice(-200))
    assert.notEqual(security(unit.replace(/^Protect.*$/gm, '')).status, 0)
  })

  test('every credential that a setting names is loaded', () => {
    const loaded = [...unit.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name]) => name)
    const named = [...unit.matchAll(/^Environment=\w+_FILE=%d\/(\w+)$/gm)].map(([, name]) => name)
    assert.ok(named.length >= 5)
    assert.deepEqual(named, loaded)
  })
})

describe('the Caddyfile', { skip: without('/usr/bin/caddy', 'Caddy') }, () => {
  function validate(text: string) {
    const path = written('Caddyfile', text)
    return spawnSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', path], {
      encoding: 'utf8',
      env: { HOME: scratch, SITE: ':8443', NODES: '127.0.0.1:1 127.0.0.1:2' },
    })
  }

  test('is valid, and a typo is not', () => {
    const text = textOf('proxy/Caddyfile')
    const { status, stderr } = validate(text)
    assert.equal(status, 0, stderr)
    assert.notEqual(validate(text.replace('lb_policy', 'lb_polly')).status, 0)
  })
})

describe('the Kubernetes manifests', { skip }, () => {
  /**
   * The module of each kind's type; it is an interface, so that the compiler refuses unknown keys.
   */
  const modules: Record<string, string> = {
    v1: 'v1',
    'apps/v1': 'apps/v1',
    'policy/v1': 'policy/v1',
    'networking.k8s.io/v1': 'networking.k8s.io/v1',
  }

  test('fit the types of their kinds, without an unknown key', () => {
    const all = manifests()
    const lines = all.map(({ apiVersion, kind }, index) => {
      const module = `kubernetes-models/${modules[apiVersion]}`
      return `export const m${index}: import('${module}').I${kind} = ${JSON.stringify(all[index])}`
    })
    const broken = structuredClone(manifest('PodDisruptionBudget'))
    broken.spec.maxUnavailabel = 1
    const type = `import('kubernetes-models/policy/v1').IPodDisruptionBudget`
    lines.push(
      '// @ts-expect-error: the compiler finds a typo.',
      `export const x: ${type} = ${JSON.stringify(broken)}`,
    )
    const cache = mkdtempSync(join(installed, '.manifests-'))
    try {
      writeFileSync(join(cache, 'manifests.ts'), lines.join('\n'))
      const rules = { noEmit: true, strict: true, skipLibCheck: true, types: [] }
      const project = { compilerOptions: { ...rules, module: 'nodenext' }, files: ['manifests.ts'] }
      writeFileSync(join(cache, 'tsconfig.json'), JSON.stringify(project))
      const compiler = join(installed, 'typescript/bin/tsc')
      const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', cache], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, stdout + stderr)
    } finally {
      rmSync(cache, { recursive: true, force: true })
    }
    const kinds = all.map(({ kind }) => kind).sort()
    const wanted = 'ConfigMap Deployment NetworkPolicy PodDisruptionBudget Secret Service Service'
    assert.deepEqual(kinds, wanted.split(' '))
  })

  test('keep to the restricted pod security standard', () => {
    const { spec } = manifest('Deployment').spec.template
    assert.equal(spec.securityContext.runAsNonRoot, true)
    assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault')
    for (const { securityContext } of spec.containers) {
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
    const allowed = ['configMap', 'emptyDir', 'secret']
    for (const { name, ...volume } of spec.volumes)
      assert.ok(
        Object.keys(volume).every((kind) => allowed.includes(kind)),
        name,
      )
  })

  test('the file of each secret is a key of the Secret', () => {
    const [container] = manifest('Deployment').spec.template.spec.containers
    const keys = Object.keys(manifest('Secret').stringData)
    const { env }: { env: { value: string }[] } = container
    assert.deepEqual(
      env.map(({ value }) => value),
      keys.map((key) => `/run/secrets/agent-registrar/${key}`),
    )
  })
})
