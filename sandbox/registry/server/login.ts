// Greeting and login: authenticates a registrar by certificate and password (RFC 5730, RFC 8807).

import { dateTime } from '../../support/sandbox-clock.ts'
import type { Command } from '../commands/command.ts'
import { child, children, inOrder, optionalText, requiredText } from '../commands/field-parser.ts'
import type { Profile } from '../model/profiles.ts'
import type { Registry } from '../model/registry.ts'
import { CONTACT, DOMAIN, EXTENSIONS, HOST, LOGIN_SEC } from '../protocol/namespaces.ts'
import { document, Refused } from '../protocol/reply.ts'
import { collapse, type Element } from '../protocol/xml.ts'

const IN_EXTENSION = '[LOGIN-SECURITY]'

/**
 * The object services of a registry: domains, as well as contacts and hosts where they are objects.
 */
function objectServices(profile: Profile): string[] {
  return profile.host_model === 'hostObj' ? [DOMAIN, CONTACT, HOST] : [DOMAIN]
}

/** Checks a login, and changes the password on request. Returns the registrar and its services. */
export function login(
  registry: Registry,
  command: Command,
  certificate: string,
): { registrar: string; services: Set<string> } {
  const { body } = command
  inOrder(body, 'clID pw newPW options svcs')
  const registrar = requiredText(body, 'clID')
  const security = command.extensions.get(LOGIN_SEC)
  if (security === undefined && registry.settings.login_security_required) {
    throw new Refused(2003, 'loginSec:loginSec is required')
  }
  const password = readPassword(body, security, 'pw')
  if (password === null) throw new Refused(2003, 'pw is required')
  const services = readServices(body, registry.profile)
  const account = registry.store.tables.account.get(registrar)
  if (account === undefined || account.password !== password) {
    throw new Refused(2200, 'unknown registrar or wrong password')
  }
  if (certificate !== registrar) throw new Refused(2200, 'the certificate is of another registrar')
  const next = readPassword(body, security, 'newPW')
  if (next !== null) registry.store.tables.account.put(registrar, { ...account, password: next })
  return { registrar, services }
}

function readPassword(body: Element, security: Element | undefined, name: string): string | null {
  const text = optionalText(body, name)
  if (text === null) return null
  if (text !== IN_EXTENSION) {
    if (text.length < 6 || text.length > 16) throw new Refused(2001, `${name}: 6 to 16 characters`)
    return text
  }
  const long = security === undefined ? null : optionalText(security, name)
  if (long === null) throw new Refused(2003, `loginSec:${name} is required`)
  if (long.length < 6) throw new Refused(2001, `${name} has at least 6 characters`)
  return long
}

function readServices(body: Element, profile: Profile): Set<string> {
  const options = child(body, 'options')
  const svcs = child(body, 'svcs')
  if (options === undefined || svcs === undefined) throw new Refused(2003, 'options and svcs')
  if (requiredText(options, 'version') !== '1.0') throw new Refused(2100, 'only version 1.0')
  if (requiredText(options, 'lang') !== 'en') throw new Refused(2102, 'only lang en')
  inOrder(svcs, 'objURI svcExtension')
  const objects = children(svcs, 'objURI').map((each) => collapse(each.text))
  if (objects.length === 0) throw new Refused(2003, 'objURI is required')
  const offered = objectServices(profile)
  const strange = objects.find((uri) => !offered.includes(uri))
  if (strange !== undefined) throw new Refused(2307, strange.slice(0, 80))
  const extension = child(svcs, 'svcExtension')
  const extensions =
    extension === undefined ? [] : children(extension, 'extURI').map((each) => collapse(each.text))
  const unknown = extensions.find((uri) => !EXTENSIONS.includes(uri))
  if (unknown !== undefined) throw new Refused(2103, unknown.slice(0, 80))
  return new Set([...objects, ...extensions])
}

const DATA_POLICY =
  '<dcp><access><all/></access><statement><purpose><admin/><prov/></purpose>' +
  '<recipient><ours/><public/></recipient><retention><stated/></retention></statement></dcp>'

/** The greeting (RFC 5730 section 2.4): services and extensions of the server. */
export function renderGreeting(registry: Registry): string {
  const objects = objectServices(registry.profile).map((uri) => `<objURI>${uri}</objURI>`)
  const extensions = EXTENSIONS.map((uri) => `<extURI>${uri}</extURI>`)
  return document(
    `<greeting><svID>Simulated registry ${registry.profile.name}</svID>` +
      `<svDate>${dateTime(registry.clock.now())}</svDate>` +
      `<svcMenu><version>1.0</version><lang>en</lang>${objects.join('')}` +
      `<svcExtension>${extensions.join('')}</svcExtension></svcMenu>${DATA_POLICY}</greeting>`,
  )
}
