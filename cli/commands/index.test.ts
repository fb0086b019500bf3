// The help, the completion and the README name every command, and a mistyped one is recognized.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { completion } from '../completion.ts'
import { closestCommand, help, helpFor, names } from './index.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

describe('the commands of the command line', () => {
  for (const name of names)
    it(`names ${name} in the help, the README and each completion`, () => {
      const word = new RegExp(`^ +${name}\\b`, 'm')
      assert.match(help().join('\n'), word)
      assert.match(readme, word)
      for (const shell of ['bash', 'zsh', 'fish'])
        assert.match(completion(shell) ?? '', new RegExp(`[' ]${name}[' ]`))
    })

  for (const [typed, found] of [
    [['keys', 're'], ['revoke']],
    [['bu'], ['buy']],
    [['dns', 'example.com', '--ho'], ['--host']],
  ] as const)
    it(`completes "${typed.join(' ')}" in bash`, () => {
      const words = ['agent-registrar', ...typed]
      const script = `${completion('bash')}
        COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${typed.length}
        _agent_registrar; printf '%s\\n' "\${COMPREPLY[@]}"`
      const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
      assert.ok(stdout.split('\n').includes(found[0]), stdout)
    })

  it('completes for no other shell', () => assert.equal(completion('tcsh'), null))

  it('fits a terminal of 80 columns', () => {
    const lines = [...help(), ...names.flatMap(helpFor)]
    for (const line of lines) assert.ok(line.length <= 80, line)
  })

  for (const [typed, name] of [
    ['lsit', 'list'],
    ['chek', 'check'],
    ['balanc', 'balance'],
    ['frobnicate', null],
  ] as const)
    it(`takes ${typed} for ${name}`, () => assert.equal(closestCommand(typed), name))
})
