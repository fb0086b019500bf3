// Contact <check> (RFC 5733 section 3.1.1).

import { dataOf } from '../replies/reply.ts'
import { ns } from '../xml/namespaces.ts'
import { child, flag, words } from '../xml/xml.ts'
import { type Command, commandFrame, counted, each, identifier } from './command.ts'

/** Answers by id: true where it is free to be created. */
export const contactCheck: Command<{ ids: readonly string[] }, Map<string, boolean | null>> = {
  name: 'contact check',
  transforms: false,
  frame({ ids }, cl_trid) {
    const list = each(counted(ids, 'Ids'), (id) => `<contact:id>${identifier(id)}</contact:id>`)
    const element = `<contact:check xmlns:contact="${ns.contact}">${list}</contact:check>`
    return commandFrame(cl_trid, `<check>${element}</check>`)
  },
  parse(reply, { ids }) {
    const wanted = new Map(ids.map((id) => [id.toLowerCase(), id]))
    const answer = new Map<string, boolean | null>()
    for (const cd of dataOf(reply, ns.contact, 'chkData').children) {
      const element = child(cd, ns.contact, 'id')
      const id = element && wanted.get(words(element).toLowerCase())
      if (element && id !== undefined) answer.set(id, flag(element, 'avail'))
    }
    return answer
  },
}
