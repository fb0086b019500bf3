// Reads registries.yaml strictly, and reports all problems at once.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { parseDocument } from 'yaml'
import { parseAmount } from '../../../kit/money.ts'
import { feeVerbs } from '../port.ts'
import type { Endpoint, Margin, RegistriesFile, RegistryEntry, TldTerms } from '../registries.ts'
import { rateOf, rulesBroken } from './registries-rules.ts'
import {
  contactRoles,
  fileSchema,
  registrySchemas,
  type WrittenEpp,
  type WrittenFile,
  type WrittenMargin,
  type WrittenOpenprovider,
  type WrittenOutline,
  type WrittenOverride,
  type WrittenRegistry,
} from './registries-schema.ts'

/**
 * The file cannot be used. The message has one line for each problem, with the path of its cause.
 */
export class RegistriesFileError extends Error {
  readonly problems: readonly string[]

  constructor(path: string, problems: readonly string[]) {
    super([`${path} cannot be used:`, ...problems.map((problem) => `  ${problem}`)].join('\n'))
    this.name = 'RegistriesFileError'
    this.problems = problems
  }
}

/** Looks up `${NAME}`, or returns undefined if the name is not set. */
type Variable = (name: string) => string | undefined

/**
 * Reads and parses the file at a path. A value of an `endpoint` may be `${NAME}`, which `variable`
 * looks up. Paths of PEM files are relative to the file's folder. Throws RegistriesFileError.
 */
export function loadRegistriesFile(path: string, variable: Variable): RegistriesFile {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new RegistriesFileError(path, [`cannot be read: ${why}`])
  }
  return parseRegistries(text, { path, variable })
}

// The schemas are ours and have a test. The schema of schemas would take 100 ms to compile, and the
// optimizer a third of the rest, although the validators run only once.
const checks = { meta: false, validateSchema: false, code: { optimize: false } }
const options = { allErrors: true, useDefaults: true, strict: false, ...checks }
let compiled: ReturnType<typeof compileSchemas> | undefined

/**
 * The validators are compiled for the first file, so that a start that is refused before it saves
 * the time.
 */
function schemas() {
  compiled ??= compileSchemas()
  return compiled
}

function compileSchemas() {
  const ajv = new Ajv2020(options)
  return {
    isOutline: ajv.compile<WrittenOutline>(fileSchema),
    isEpp: ajv.compile<WrittenEpp>(registrySchemas.epp),
    isOpenprovider: ajv.compile<WrittenOpenprovider>(registrySchemas.openprovider),
  }
}

/** Like loadRegistriesFile, for a text. */
export function parseRegistries(
  text: string,
  from: { path: string; variable: Variable },
): RegistriesFile {
  const problems: string[] = []
  const document = parseDocument(text, { version: '1.2', schema: 'core' })
  for (const { message } of [...document.errors, ...document.warnings]) problems.push(message)
  if (problems.length > 0) throw new RegistriesFileError(from.path, problems)
  const written: unknown = substitute(
    document.toJS({ maxAliasCount: 100 }),
    from.variable,
    problems,
  )
  const file = fileOf(written, problems)
  if (file) problems.push(...rulesBroken(file))
  if (!file || problems.length > 0) throw new RegistriesFileError(from.path, problems)
  const folder = dirname(resolve(from.path))
  return { registries: file.registries.map((one) => entryOf(one, { file, folder })) }
}

/**
 * The file with its defaults filled in, or undefined if it does not match, with the problems
 * reported.
 */
function fileOf(written: unknown, problems: string[]): WrittenFile | undefined {
  const { isOutline, isEpp, isOpenprovider } = schemas()
  if (!isOutline(written)) {
    problems.push(...(isOutline.errors ?? []).flatMap((error) => lineOf(error)))
    return undefined
  }
  const registries = written.registries.flatMap((one: unknown, index) => {
    const is = isRecord(one) && one.adapter === 'openprovider' ? isOpenprovider : isEpp
    if (is(one)) return [one]
    problems.push(...(is.errors ?? []).flatMap((error) => lineOf(error, `/registries/${index}`)))
    return []
  })
  return registries.length < written.registries.length ? undefined : { ...written, registries }
}

/** Fills in `${NAME}` in every endpoint; a whole number stays a number. */
function substitute(written: unknown, variable: Variable, problems: string[]): unknown {
  const list = isRecord(written) ? written.registries : undefined
  if (!isRecord(written) || !Array.isArray(list)) return written
  const registries = list.map((one: unknown, index) =>
    isRecord(one) && 'endpoint' in one
      ? { ...one, endpoint: filled(one.endpoint, `registries[${index}].endpoint`) }
      : one,
  )
  return { ...written, registries }

  function filled(value: unknown, path: string): unknown {
    if (isRecord(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, filled(inner, `${path}.${key}`)]),
      )
    if (typeof value !== 'string' || !value.includes('${')) return value
    const name = /^\$\{([A-Z][A-Z0-9_]*)\}$/.exec(value)?.[1]
    const found = name === undefined ? undefined : variable(name)
    if (name === undefined) problems.push(`${path}: \${NAME} must be the whole value`)
    else if (!found) problems.push(`${path}: the environment has no ${name}`)
    // A value that fits most fields, so that the one problem is not reported twice.
    if (!found) return path.endsWith('.port') ? 700 : 'not-known'
    return path.endsWith('.port') && /^[0-9]{1,5}$/.test(found) ? Number(found) : found
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Ajv's words with the path in front, or nothing if a wrapper only repeats its branch. */
function lineOf(error: ErrorObject, within = ''): string[] {
  const { keyword, params } = error
  const path = `${within}${error.instancePath}`
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^[0-9]+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
  const at = path === '' ? 'the file' : path
  if (keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')) return []
  if (keyword === 'additionalProperties')
    return [`${at}: unknown key "${params.additionalProperty}"`]
  if (keyword === 'required') return [`${at}: "${params.missingProperty}" is missing`]
  if (keyword === 'enum') return [`${at}: must be one of ${params.allowedValues.join(', ')}`]
  if (keyword === 'const') return [`${at}: must be ${params.allowedValue}`]
  const quoted = keyword === 'type' && params.type === 'string' ? ' (amounts stand in quotes)' : ''
  return [`${at}: ${error.message}${quoted}`]
}

type Place = { file: WrittenFile; folder: string }

function entryOf(registry: WrittenRegistry, { file, folder }: Place): RegistryEntry {
  const { sandbox: _, endpoint, margin, overrides, ...rest } = registry
  const terms = registry.tlds.map((tld): [string, TldTerms] => {
    const own = overrides[tld]
    return [
      tld,
      {
        currency: registry.currency,
        margin: marginOf(own?.margin ?? margin ?? file.margin),
        costs: costsOf(own),
        rates: new Map(file.currencies.map((one) => [one, rateOf(file, registry, one)])),
      },
    ]
  })
  // Its API wants three contacts for every name, and reports the price of every operation.
  const rules =
    rest.adapter === 'openprovider'
      ? { ...rest, contacts: 'required' as const, contact_roles: contactRoles, fee: true }
      : { ...rest, contact_roles: rest.contact_roles ?? usualRoles(rest) }
  return { rules, endpoint: endpoint ? endpointOf(endpoint, folder) : null, terms: new Map(terms) }
}

/** A registry that wants contacts wants all roles, unless its entry lists them. */
function usualRoles({
  contacts,
}: Pick<WrittenEpp, 'contacts'>): readonly (typeof contactRoles)[number][] {
  return contacts === 'required' ? contactRoles : []
}

function endpointOf(written: NonNullable<WrittenRegistry['endpoint']>, folder: string): Endpoint {
  if ('base_url' in written) {
    const { username: client_id, ...rest } = written
    return { ...rest, client_id }
  }
  const from = (path: string | null) => (path === null ? null : resolve(folder, path))
  const { ca_file, cert_file, key_file, servername } = written.tls
  const tls = { ca_file: from(ca_file), cert_file: from(cert_file), key_file: from(key_file) }
  return { ...written, tls: { ...tls, servername } }
}

function marginOf({ basis_points, fixed }: WrittenMargin): Margin {
  return { basis_points: BigInt(basis_points), fixed: parseAmount(fixed) ?? 0n }
}

function costsOf(override: WrittenOverride | undefined): TldTerms['costs'] {
  const costs: TldTerms['costs'] = {}
  for (const verb of feeVerbs) {
    const cost = parseAmount(override?.costs[verb] ?? '')
    if (cost !== undefined) costs[verb] = cost
  }
  return costs
}
