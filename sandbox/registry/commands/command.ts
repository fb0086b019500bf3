// Dispatches a parsed frame to its handler: the grammar of RFC 5730 around the objects.

import { dateTime } from '../../support/sandbox-clock.ts'
import { CONTACT, DOMAIN, EPP, FEE, HOST, LOGIN_SEC, RGP, SEC_DNS } from '../protocol/namespaces.ts'
import { Refused, type Reply } from '../protocol/reply.ts'
import { collapse, type Element } from '../protocol/xml.ts'
import type { Call, Handler } from './command-context.ts'
import {
  checkContacts,
  createContact,
  deleteContact,
  infoContact,
  updateContact,
} from './contact-commands.ts'
import { checkDomains, infoDomain } from './domain-check.ts'
import { createDomain } from './domain-create.ts'
import { deleteDomain, renewDomain } from './domain-renew.ts'
import { transferDomain } from './domain-transfer.ts'
import { updateDomain } from './domain-update.ts'
import { child, children, inOrder } from './field-parser.ts'
import { checkHosts, createHost, deleteHost, infoHost, updateHost } from './host-commands.ts'

type Known = {
  /** The handler is absent for commands that the session answers itself. */
  handle?: Handler
  /** The extensions that may come with the command, and the element of each. */
  extensions?: Record<string, string>
}

const COMMANDS: Record<string, Known> = {
  login: { extensions: { [LOGIN_SEC]: 'loginSec' } },
  logout: {},
  poll: { handle: poll },
  'domain:check': { handle: checkDomains, extensions: { [FEE]: 'check' } },
  'domain:info': { handle: infoDomain },
  'domain:create': {
    handle: createDomain,
    extensions: { [FEE]: 'create', [SEC_DNS]: 'create' },
  },
  'domain:renew': { handle: renewDomain, extensions: { [FEE]: 'renew' } },
  'domain:transfer': { handle: transferDomain, extensions: { [FEE]: 'transfer' } },
  'domain:delete': { handle: deleteDomain },
  'domain:update': {
    handle: updateDomain,
    extensions: { [FEE]: 'update', [SEC_DNS]: 'update', [RGP]: 'update' },
  },
  'contact:check': { handle: checkContacts },
  'contact:info': { handle: infoContact },
  'contact:create': { handle: createContact },
  'contact:update': { handle: updateContact },
  'contact:delete': { handle: deleteContact },
  'host:check': { handle: checkHosts },
  'host:info': { handle: infoHost },
  'host:create': { handle: createHost },
  'host:update': { handle: updateHost },
  'host:delete': { handle: deleteHost },
}

const OBJECTS: Record<string, string> = { [DOMAIN]: 'domain', [CONTACT]: 'contact', [HOST]: 'host' }
const SIMPLE = new Set(['login', 'logout', 'poll'])
const VERBS = new Set(['check', 'create', 'delete', 'info', 'renew', 'transfer', 'update'])

/** A frame as the session needs it; `refused` is set if its grammar is wrong. */
export type Command = {
  /**
   * The name of the command, such as 'hello', 'login' or 'domain:create', or 'unknown' if it cannot
   * be parsed.
   */
  key: string
  body: Element
  op: string
  object_ns: string | null
  objects: string[]
  extensions: Map<string, Element>
  cl_trid: string | null
  handle: Handler | null
  refused: Refused | null
}

/** Parses a frame; its errors are in `refused`, so that the command can still be counted. */
export function readCommand(root: Element): Command {
  const command: Command = {
    key: 'unknown',
    body: root,
    op: '',
    object_ns: null,
    objects: [],
    extensions: new Map(),
    cl_trid: null,
    handle: null,
    refused: null,
  }
  try {
    fill(command, root)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    command.refused = error
  }
  return command
}

function fill(command: Command, root: Element): void {
  const [top, ...rest] = root.children
  if (root.ns !== EPP || root.name !== 'epp' || top?.ns !== EPP || rest.length > 0) {
    throw new Refused(2001, 'an epp element with one command is expected')
  }
  if (top.name === 'hello') {
    command.key = 'hello'
    return
  }
  if (top.name !== 'command') throw new Refused(2001, `${top.name} is not for a server`)
  command.cl_trid = readTrid(top)
  const verb = top.children[0]
  if (verb === undefined || verb.ns !== EPP) throw new Refused(2001, 'a command is expected')
  if (!SIMPLE.has(verb.name) && !VERBS.has(verb.name)) throw new Refused(2000, verb.name)
  if (SIMPLE.has(verb.name)) command.key = verb.name
  command.body = verb
  command.op = verb.attributes.get('op') ?? ''
  if (VERBS.has(verb.name)) fillObject(command, verb)
  inOrder(top, `${verb.name} extension clTRID`)
  const known = COMMANDS[command.key]
  if (known === undefined) throw new Refused(2101, `${command.key} is not offered`)
  command.handle = known.handle ?? null
  command.extensions = readExtensions(child(top, 'extension'), known.extensions ?? {})
}

function fillObject(command: Command, verb: Element): void {
  const [body, ...rest] = verb.children
  if (body === undefined || rest.length > 0) throw new Refused(2001, 'one object is expected')
  const kind = OBJECTS[body.ns]
  if (kind === undefined) throw new Refused(2307, body.ns.slice(0, 80))
  if (body.name !== verb.name) throw new Refused(2001, `${body.name} inside ${verb.name}`)
  command.key = `${kind}:${verb.name}`
  command.body = body
  command.object_ns = body.ns
  const field = kind === 'contact' ? 'id' : 'name'
  command.objects = children(body, field).map((each) => collapse(each.text).toLowerCase())
}

function readTrid(top: Element): string | null {
  const element = child(top, 'clTRID')
  if (element === undefined) return null
  const text = collapse(element.text)
  if (text.length < 3 || text.length > 64) throw new Refused(2001, 'clTRID has 3 to 64 characters')
  return text
}

function readExtensions(
  element: Element | undefined,
  allowed: Record<string, string>,
): Map<string, Element> {
  const extensions = new Map<string, Element>()
  for (const each of element?.children ?? []) {
    if (allowed[each.ns] !== each.name) throw new Refused(2103, `${each.name} does not fit here`)
    if (extensions.has(each.ns)) throw new Refused(2001, `${each.name} is there twice`)
    extensions.set(each.ns, each)
  }
  return extensions
}

/** RFC 5730 section 2.9.2.3: one message at a time, removed by its acknowledgement. */
function poll(call: Call): Reply {
  const queue = call.registry.queues.get(call.registrar)
  if (call.op === 'req') {
    const message = queue?.values().next().value
    if (queue === undefined || message === undefined) return { code: 1300 }
    const { id, at, text, data } = message
    const shown = { count: queue.size, id, at: dateTime(at), text }
    return { code: 1301, queue: shown, ...(data === null ? {} : { data }) }
  }
  if (call.op !== 'ack') throw new Refused(2001, 'poll op')
  const id = call.body.attributes.get('msgID')
  if (id === undefined) throw new Refused(2003, 'msgID is required')
  if (queue === undefined || !queue.has(id)) throw new Refused(2303, `no message ${id}`)
  call.registry.store.tables.message.remove(id)
  return { code: 1000, queue: { count: queue.size, id, at: null, text: null } }
}
