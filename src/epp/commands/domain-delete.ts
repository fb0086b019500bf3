// Domain <delete> (RFC 5731 section 3.2.2). Often answered 1001: the name then goes through its
// redemption.
import { ns } from '../xml/namespaces.ts'
import { type Command, commandFrame, label, nothing } from './command.ts'

export const domainDelete: Command<{ name: string }, null> = {
  name: 'domain delete',
  transforms: true,
  frame({ name }, cl_trid) {
    const inside = `<domain:name>${label(name)}</domain:name>`
    const element = `<domain:delete xmlns:domain="${ns.domain}">${inside}</domain:delete>`
    return commandFrame(cl_trid, `<delete>${element}</delete>`)
  },
  parse: nothing,
}
