// The receipt of a purchase: its facts, or a PDF in a file.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { exitCodes, Failure } from '../failure.ts'
import { facts } from '../table.ts'
import { type Command, minute, money, oneOf, type Shown } from './command.ts'

export const receipt: Command = {
  usage: ['receipt ORDER [--pdf FILE]'],
  summary: 'the signed receipt of a paid order',
  flags: ['pdf'],
  run: async ({ registrar, words, flags }) => {
    const path = { id: oneOf(words, 'the id of an order') }
    if (flags.pdf !== undefined) {
      refuseExisting(flags.pdf)
      return save(flags.pdf, await registrar.downloadReceipt({ path }))
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

/** Before the request; `wx` refuses one that is made meanwhile. */
function refuseExisting(file: string): void {
  if (existsSync(file)) throw taken(file)
}

async function save(file: string, content: Blob): Promise<Shown> {
  try {
    await writeFile(file, new Uint8Array(await content.arrayBuffer()), { flag: 'wx' })
  } catch (error) {
    const code = Object(error).code
    if (code === 'EEXIST') throw taken(file)
    throw new Failure(exitCodes.refused, `${file} cannot be written: ${code ?? error}`)
  }
  return { body: { file }, lines: [`Saved ${file}`] }
}

function taken(file: string): Failure {
  return new Failure(exitCodes.refused, `${file} is there already`, { next: 'Give another file.' })
}
