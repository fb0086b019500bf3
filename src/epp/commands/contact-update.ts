// Contact <update> (RFC 5733 section 3.2.5): all the facts at once, so that it may be repeated.
import { ns } from '../xml/namespaces.ts'
import { type Command, commandFrame, identifier, nothing } from './command.ts'
import { type ContactFacts, postalInfo, reachable } from './contact-fields.ts'

type ContactUpdateInput = ContactFacts & { id: string }

export const contactUpdate: Command<ContactUpdateInput, null> = {
  name: 'contact update',
  transforms: true,
  frame(input, cl_trid) {
    const action =
      `<update><contact:update xmlns:contact="${ns.contact}">` +
      `<contact:id>${identifier(input.id)}</contact:id>` +
      `<contact:chg>${postalInfo(input)}${reachable(input)}</contact:chg>` +
      '</contact:update></update>'
    return commandFrame(cl_trid, action)
  },
  parse: nothing,
}
