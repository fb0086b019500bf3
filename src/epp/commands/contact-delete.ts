// Contact <delete> (RFC 5733 section 3.2.2).
import { ns } from '../xml/namespaces.ts'
import { type Command, commandFrame, identifier, nothing } from './command.ts'

export const contactDelete: Command<{ id: string }, null> = {
  name: 'contact delete',
  transforms: true,
  frame({ id }, cl_trid) {
    const inside = `<contact:id>${identifier(id)}</contact:id>`
    const element = `<contact:delete xmlns:contact="${ns.contact}">${inside}</contact:delete>`
    return commandFrame(cl_trid, `<delete>${element}</delete>`)
  },
  parse: nothing,
}
