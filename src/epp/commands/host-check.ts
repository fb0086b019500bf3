// Host <check> (RFC 5732 section 3.1.1).

import { dataOf } from '../replies/reply.ts'
import { ns } from '../xml/namespaces.ts'
import { type Command, commandFrame, counted, each, label } from './command.ts'
import { type DomainChecked, readChecked } from './domain-check.ts'

/** Answers by name in lower case; `available` true: there is no such object. */
export const hostCheck: Command<{ names: readonly string[] }, Map<string, DomainChecked>> = {
  name: 'host check',
  transforms: false,
  frame({ names }, cl_trid) {
    const list = each(counted(names, 'Hosts'), (name) => `<host:name>${label(name)}</host:name>`)
    const action = `<check><host:check xmlns:host="${ns.host}">${list}</host:check></check>`
    return commandFrame(cl_trid, action)
  },
  parse: (reply, { names }) => readChecked(dataOf(reply, ns.host, 'chkData'), ns.host, names),
}
