// Contact <create> (RFC 5733 section 3.2.1).
import { requiredMoment } from '../replies/dates.ts'
import { sameId } from '../replies/object-identity.ts'
import { dataOf } from '../replies/reply.ts'
import { ns } from '../xml/namespaces.ts'
import { type Command, commandFrame, identifier, password } from './command.ts'
import { type ContactFacts, postalInfo, reachable } from './contact-fields.ts'

export type ContactCreateInput = ContactFacts & { id: string; auth_info: string }

export const contactCreate: Command<ContactCreateInput, { id: string; created_at: string }> = {
  name: 'contact create',
  transforms: true,
  frame(input, cl_trid) {
    const auth = `<contact:pw>${password(input.auth_info)}</contact:pw>`
    const action =
      `<create><contact:create xmlns:contact="${ns.contact}">` +
      `<contact:id>${identifier(input.id)}</contact:id>${postalInfo(input)}${reachable(input)}` +
      `<contact:authInfo>${auth}</contact:authInfo></contact:create></create>`
    return commandFrame(cl_trid, action)
  },
  parse(reply, { id }) {
    const data = dataOf(reply, ns.contact, 'creData')
    return {
      id: sameId(data, id),
      created_at: requiredMoment(data, ns.contact, 'crDate'),
    }
  },
}
