// Files that commands save, which must be new so that none is overwritten.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Shown } from './commands/command.ts'
import { exitCodes, Failure } from './failure.ts'

/** Checked before the request; `wx` refuses a file that is made meanwhile. */
export function refuseExisting(file: string): void {
  if (existsSync(file)) throw taken(file)
}

export async function save(file: string, content: Uint8Array | string): Promise<Shown> {
  try {
    await writeFile(file, content, { flag: 'wx' })
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
