// Host <update> (RFC 5732 section 3.2.5): addresses and the host's own name.
import { UnwritableCommand } from '../errors.ts'
import { ns } from '../xml/namespaces.ts'
import { type Command, commandFrame, label, nothing } from './command.ts'
import { addressList } from './host-create.ts'

type HostUpdateInput = {
  name: string
  add: readonly string[]
  remove: readonly string[]
  new_name: string | null
}

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
    const element = `<host:update xmlns:host="${ns.host}">${inside}</host:update>`
    return commandFrame(cl_trid, `<update>${element}</update>`)
  },
  parse: nothing,
}
