// Host <delete> (RFC 5732 section 3.2.2).
import { ns } from '../xml/namespaces.ts'
import { type Command, commandFrame, label, nothing } from './command.ts'

export const hostDelete: Command<{ name: string }, null> = {
  name: 'host delete',
  transforms: true,
  frame({ name }, cl_trid) {
    const inside = `<host:name>${label(name)}</host:name>`
    const element = `<host:delete xmlns:host="${ns.host}">${inside}</host:delete>`
    return commandFrame(cl_trid, `<delete>${element}</delete>`)
  },
  parse: nothing,
}
