// Commands on host objects (RFC 5732).
import { UnwritableCommand } from '../errors.ts'
import { dataOf, requireSameName, sameName } from '../replies/reply.ts'
import { attribute, childrenOf, ns, requiredWords, words } from '../xml/xml.ts'
import {
  addressList,
  type Command,
  commandFrame,
  counted,
  deleteCommand,
  each,
  label,
  nothing,
  objectAction,
} from './command.ts'
import { type DomainChecked, readChecked } from './domain-query.ts'

/**
 * Host <check> (section 3.1.1). The answers are by name in lower case; `available` is true if there
 * is no such object.
 */
export const hostCheck: Command<{ names: readonly string[] }, Map<string, DomainChecked>> = {
  name: 'host check',
  transforms: false,
  frame({ names }, cl_trid) {
    const list = each(counted(names, 'Hosts'), (name) => `<host:name>${label(name)}</host:name>`)
    return commandFrame(cl_trid, objectAction('check', 'host', list))
  },
  parse: (reply, { names }) => readChecked(dataOf(reply, ns.host, 'chkData'), ns.host, names),
}

type HostInfo = {
  name: string
  roid: string
  statuses: string[]
  addresses: string[]
  sponsor: string
}

/** Host <info> (section 3.1.2). */
export const hostInfo: Command<{ name: string }, HostInfo> = {
  name: 'host info',
  transforms: false,
  frame({ name }, cl_trid) {
    const inside = `<host:name>${label(name)}</host:name>`
    return commandFrame(cl_trid, objectAction('info', 'host', inside))
  },
  parse(reply, { name }) {
    const data = dataOf(reply, ns.host, 'infData')
    return {
      name: sameName(data, ns.host, name),
      roid: requiredWords(data, ns.host, 'roid'),
      statuses: childrenOf(data, ns.host, 'status').flatMap((it) => attribute(it, 's') ?? []),
      addresses: childrenOf(data, ns.host, 'addr').map(words),
      sponsor: requiredWords(data, ns.host, 'clID'),
    }
  },
}

type HostCreateInput = { name: string; addresses: readonly string[] }

/**
 * Host <create> (section 3.2.1). Addresses are glue, so they are only for hosts inside the
 * registry's own TLDs.
 */
export const hostCreate: Command<HostCreateInput, null> = {
  name: 'host create',
  transforms: true,
  frame({ name, addresses }, cl_trid) {
    const inside = `<host:name>${label(name)}</host:name>${addressList(addresses)}`
    return commandFrame(cl_trid, objectAction('create', 'host', inside))
  },
  parse: (reply, { name }) => requireSameName(reply, ns.host, name),
}

type HostUpdateInput = {
  name: string
  add: readonly string[]
  remove: readonly string[]
  new_name: string | null
}

/** Host <update> (section 3.2.5), which changes addresses and the host's own name. */
export const hostUpdate: Command<HostUpdateInput, null> = {
  name: 'host update',
  transforms: true,
  frame({ name, add, remove, new_name }, cl_trid) {
    const parts = [
      add.length > 0 ? `<host:add>${addressList(add)}</host:add>` : '',
      remove.length > 0 ? `<host:rem>${addressList(remove)}</host:rem>` : '',
      new_name === null ? '' : `<host:chg><host:name>${label(new_name)}</host:name></host:chg>`,
    ].join('')
    if (parts === '') throw new UnwritableCommand('Nothing to update')
    const inside = `<host:name>${label(name)}</host:name>${parts}`
    return commandFrame(cl_trid, objectAction('update', 'host', inside))
  },
  parse: nothing,
}

/** Host <delete> (section 3.2.2). */
export const hostDelete = deleteCommand('host', 'name')
