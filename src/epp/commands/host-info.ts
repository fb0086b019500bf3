// Host <info> (RFC 5732 section 3.1.2).
import { sameName } from '../replies/object-identity.ts'
import { dataOf } from '../replies/reply.ts'
import { ns } from '../xml/namespaces.ts'
import { attribute, childrenOf, requiredWords, words } from '../xml/xml.ts'
import { type Command, commandFrame, label } from './command.ts'

type HostInfo = {
  name: string
  roid: string
  statuses: string[]
  addresses: string[]
  sponsor: string
}

export const hostInfo: Command<{ name: string }, HostInfo> = {
  name: 'host info',
  transforms: false,
  frame({ name }, cl_trid) {
    const inside = `<host:name>${label(name)}</host:name>`
    const element = `<host:info xmlns:host="${ns.host}">${inside}</host:info>`
    return commandFrame(cl_trid, `<info>${element}</info>`)
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
