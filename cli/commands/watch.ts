// Streams the events of the account until Ctrl-C, which prints the command that resumes.
import { exitCodes } from '../failure.ts'
import { printable } from '../table.ts'
import { type Command, wordsOf } from './command.ts'

/** The seconds of one poll, because proxies often end a request after 30. */
const LONGEST_POLL = 25

export const watch: Command = {
  usage: ['watch [--cursor CURSOR]'],
  summary: 'events as they come, until Ctrl-C',
  flags: ['cursor'],
  run: async ({ registrar, words, flags, emit, terminal }) => {
    wordsOf(words)
    let cursor = flags.cursor
    process.once('SIGINT', () => {
      const next = `agent-registrar watch --cursor ${cursor}`
      if (cursor !== undefined) terminal.say(`Continue with: ${next}`)
      process.exit(exitCodes.interrupted)
    })
    for (;;) {
      const from = cursor === undefined ? ({ start: 'now', wait: 0 } as const) : { cursor }
      const query = { wait: LONGEST_POLL, ...from }
      const page = await registrar.listEvents({ query })
      terminal.progress(null)
      for (const event of page.events)
        emit(event, printable(`${event.created_at}  ${event.type}  ${event.subject.id}`))
      cursor = page.next_cursor
      terminal.progress('Waiting for events; Ctrl-C stops')
    }
  },
}
