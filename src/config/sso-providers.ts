// Identity providers of single sign-on: SSO_PROVIDERS lists them, and each has its own settings,
// named by its id.
import { list, type Reader, SettingError } from './readers.ts'
import { type Environment, variableOf } from './setting.ts'

export type SsoProvider = {
  /** The id as in the paths of the API. */
  id: string
  /** The name on the button. */
  name: string
  issuer: string
  client_id: string
  client_secret: string
}

/**
 * Providers that need no issuer. GitHub's issuer is the root of its site, also for an Enterprise
 * Server.
 */
const known: Readonly<Record<string, { name: string; issuer: string }>> = {
  google: { name: 'Google', issuer: 'https://accounts.google.com' },
  github: { name: 'GitHub', issuer: 'https://github.com' },
}

export const providersWords = {
  preset: '',
  meaning:
    'Identity providers of single sign-on, with commas, in the order of their buttons: google, ' +
    'github, or an id of your own such as acme for an OpenID Connect issuer. Each needs ' +
    'SSO_ACME_CLIENT_ID and SSO_ACME_CLIENT_SECRET (with its id in place of ACME); one of your ' +
    'own also SSO_ACME_ISSUER, and SSO_ACME_NAME for its button. SSO_GITHUB_ISSUER is the root ' +
    'of a GitHub Enterprise Server. The redirect URI to register is ' +
    'PUBLIC_URL/v1/dashboard/sso/acme/callback (of a sandbox at 127.0.0.1: at localhost).',
}

export const providerIds: Reader<string[]> = (value, name) => {
  const ids = list(value, name)
  for (const id of ids)
    if (!/^[a-z][a-z0-9-]{0,30}$/.test(id) || ids.indexOf(id) !== ids.lastIndexOf(id))
      throw new SettingError(name, `must have different ids like google,github,acme, not "${id}"`)
  return ids
}

/**
 * Throws SettingError for a provider whose settings are incomplete, or that is set but not listed.
 */
export function readSsoProviders(
  ids: readonly string[],
  from: Environment,
  environment: 'sandbox' | 'production',
): SsoProvider[] {
  refuseUnlisted(ids, from)
  return ids.map((id) => {
    const required = (key: string, preset?: string) => {
      const name = `${prefixOf(id)}_${key}`
      const value = variableOf(from, name) ?? preset
      if (value === undefined)
        throw new SettingError(name, `must be set, as SSO_PROVIDERS lists ${id}`)
      return value
    }
    const preset = Object.hasOwn(known, id) ? known[id] : undefined
    const issuer = required('ISSUER', preset?.issuer)
    requireIssuer(issuer, `${prefixOf(id)}_ISSUER`, environment)
    return {
      id,
      name: required('NAME', preset?.name ?? id),
      issuer: id === 'github' ? issuer.replace(/\/+$/, '') : issuer,
      client_id: required('CLIENT_ID'),
      client_secret: required('CLIENT_SECRET'),
    }
  })
}

function prefixOf(id: string): string {
  return `SSO_${id.toUpperCase().replaceAll('-', '_')}`
}

const listedName = /^(SSO_[A-Z0-9_]+)_(?:CLIENT_ID|CLIENT_SECRET|ISSUER|NAME)(?:_FILE)?$/

function refuseUnlisted(ids: readonly string[], from: Environment): void {
  const prefixes = ids.map(prefixOf)
  for (const [name, value] of Object.entries(from)) {
    const [, prefix] = listedName.exec(name) ?? []
    if (prefix !== undefined && value && !prefixes.includes(prefix))
      throw new SettingError(name, 'is set, and SSO_PROVIDERS does not list its provider')
  }
}

/**
 * Codes and secrets are sent there, so plain HTTP is only allowed for a sandbox on this machine.
 */
function requireIssuer(issuer: string, name: string, environment: 'sandbox' | 'production'): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  const isHere = url && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere && environment === 'sandbox')
  if (isSafe && url && !url.search && !url.hash && !url.username) return
  throw new SettingError(name, 'must be an https URL, e.g. https://login.a.example')
}
