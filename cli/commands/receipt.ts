// The receipt of a purchase, as facts or as a PDF in a file.
import { refuseExisting, save } from '../new-file.ts'
import { facts } from '../table.ts'
import { type Command, minute, money, oneOf } from './command.ts'

export const receipt: Command = {
  usage: ['receipt ORDER [--pdf FILE]'],
  summary: 'the signed receipt of a paid order',
  flags: ['pdf'],
  run: async ({ registrar, words, flags }) => {
    const path = { id: oneOf(words, 'the id of an order') }
    if (flags.pdf !== undefined) {
      refuseExisting(flags.pdf)
      const content = await registrar.downloadReceipt({ path })
      return save(flags.pdf, new Uint8Array(await content.arrayBuffer()))
    }
    const body = await registrar.getReceipt({ path })
    return {
      body,
      lines: facts([
        ['Order', `${body.action} ${body.domain} (${body.operation_id})`],
        ['Paid', money(body)],
        ['At', minute(body.paid_at)],
        ['Signed', body.jws],
      ]),
    }
  },
}
