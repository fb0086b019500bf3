// Session management (RFC 5730 section 2.9.1).
import { UnwritableCommand } from '../errors.ts'
import { ns } from '../xml/xml.ts'
import {
  type Command,
  commandFrame,
  counted,
  each,
  eppFrame,
  identifier,
  nothing,
  token,
} from './command.ts'

/** RFC 5730 section 2: the version that we request at log-in. */
const protocol_version = '1.0'

/**
 * The language of the server's texts (RFC 5730 section 2.9.1.1), which must be one that the
 * greeting announces: English, a variant of it, or else the first.
 */
export function languageOf(announced: readonly string[]): string {
  const english = announced.find((tag) => tag.toLowerCase() === 'en')
  const variant = announced.find((tag) => tag.toLowerCase().startsWith('en-'))
  return english ?? variant ?? announced[0] ?? 'en'
}

type LoginInput = {
  client_id: string
  password: string
  /**
   * The URIs of the objects and extensions that this session will use, at most those that the
   * greeting offers.
   */
  objects: readonly string[]
  extensions: readonly string[]
  language: string
  /** The password is sent in the extension of RFC 8807, however short it is. */
  secured: boolean
}

/** RFC 8807 section 3.1: this text is in <pw> if the real password is in the extension. */
const elsewhere = '[LOGIN-SECURITY]'
const longest_plain = 16

/** Whether the schema of RFC 5730 does not allow it, so that RFC 8807 is needed. */
export function isLongPassword(password: string): boolean {
  return password.length > longest_plain || password === elsewhere
}

function services({ objects, extensions }: LoginInput): string {
  const uri = (value: string) => token(value, 'A URI', { min: 1, max: 255 })
  const own = each(counted(objects, 'Objects'), (value) => `<objURI>${uri(value)}</objURI>`)
  const more = each(extensions, (value) => `<extURI>${uri(value)}</extURI>`)
  return `<svcs>${own}${more === '' ? '' : `<svcExtension>${more}</svcExtension>`}</svcs>`
}

function security(password: string): string {
  const inside = `<loginSec:pw>${password}</loginSec:pw>`
  return `<loginSec:loginSec xmlns:loginSec="${ns.loginSec}">${inside}</loginSec:loginSec>`
}

/** <login> (RFC 5730 section 2.9.1.1), with long passwords by RFC 8807. */
export const login: Command<LoginInput, null> = {
  name: 'login',
  transforms: false,
  frame(input, cl_trid) {
    const inside = !isLongPassword(input.password) && !input.secured
    if (!inside && !input.extensions.includes(ns.loginSec)) {
      throw new UnwritableCommand('This log-in needs RFC 8807, as a password above 16 characters')
    }
    const language = token(input.language, 'A language', { min: 1, max: 64 })
    const long = token(input.password, 'The password', { min: 6, max: 1000 })
    const action =
      `<login><clID>${identifier(input.client_id)}</clID><pw>${inside ? long : elsewhere}</pw>` +
      `<options><version>${protocol_version}</version><lang>${language}</lang></options>` +
      `${services(input)}</login>`
    return commandFrame(cl_trid, action, inside ? '' : security(long))
  },
  parse: nothing,
}

/** The <logout> (RFC 5730 section 2.9.1.2), which the server answers with 1500 before it closes. */
export const logout: Command<null, null> = {
  name: 'logout',
  transforms: false,
  frame: (_input, cl_trid) => commandFrame(cl_trid, '<logout/>'),
  parse: nothing,
}

/**
 * The <hello> (RFC 5730 section 2.3), which requests the greeting again. Here it keeps an idle
 * session alive.
 */
export const helloFrame = eppFrame('<hello/>')
