// Contact <info> (RFC 5733 section 3.1.2).
import { sameId } from '../replies/object-identity.ts'
import { dataOf } from '../replies/reply.ts'
import { ns } from '../xml/namespaces.ts'
import { attribute, childrenOf, requiredWords } from '../xml/xml.ts'
import { type Command, commandFrame, identifier, password } from './command.ts'
import { type ContactFacts, readFacts } from './contact-fields.ts'

type ContactInfoInput = { id: string; auth_info: string | null }
type ContactInfo = ContactFacts & {
  id: string
  roid: string
  statuses: string[]
  sponsor: string
}

export const contactInfo: Command<ContactInfoInput, ContactInfo> = {
  name: 'contact info',
  transforms: false,
  frame({ id, auth_info }, cl_trid) {
    const auth =
      auth_info === null
        ? ''
        : `<contact:authInfo><contact:pw>${password(auth_info)}</contact:pw></contact:authInfo>`
    const inside = `<contact:id>${identifier(id)}</contact:id>${auth}`
    const element = `<contact:info xmlns:contact="${ns.contact}">${inside}</contact:info>`
    return commandFrame(cl_trid, `<info>${element}</info>`)
  },
  parse(reply, { id }) {
    const data = dataOf(reply, ns.contact, 'infData')
    return {
      ...readFacts(data),
      id: sameId(data, id),
      roid: requiredWords(data, ns.contact, 'roid'),
      statuses: childrenOf(data, ns.contact, 'status').flatMap((it) => attribute(it, 's') ?? []),
      sponsor: requiredWords(data, ns.contact, 'clID'),
    }
  },
}
