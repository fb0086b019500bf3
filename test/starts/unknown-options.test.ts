// A mistyped option of a program of bin/ ends it with a line that names it, before anything runs.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const folder = join(import.meta.dirname, '../../bin')
/** npm has the options of the first, and the service those of the second. */
const others = ['setup', 'dev']
const programs = readdirSync(folder).filter((name) => !name.includes('.') && name !== 'checks')
const commands = programs
  .filter((name) => !others.includes(name))
  .map((name) => (name === 'bench' ? [name, 'health'] : [name]))

describe('an unknown option', () => {
  for (const [program = '', ...words] of commands)
    it(`ends bin/${[program, ...words].join(' ')}`, () => {
      const given = [...words, '--no-such-option']
      const { status, stdout, stderr } = spawnSync(join(folder, program), given, {
        encoding: 'utf8',
        timeout: 20_000,
      })
      const printed = stdout + stderr
      assert.equal(status, 2, printed)
      assert.match(printed, /--no-such-option|^bin\/\w/m)
      assert.doesNotMatch(printed, /^\s+at /m)
    })
})
