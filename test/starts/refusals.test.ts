// Starts that cannot be: each ends at once with status 1 and one line that says what to do, and no
// stack. As a process of its own, like the one that an operator starts.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { newDatabase } from '../support/database.ts'
import { skipPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { startProgram } from '../support/program.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-refusals-'))
chmodSync(scratch, 0o711)
const mounted: string[] = []
after(() => {
  for (const folder of mounted) spawnSync('umount', [folder])
  rmSync(scratch, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(scratch, 'data-'))
  chmodSync(folder, 0o711)
  return folder
}

/** A file system of its own in memory; false where this user may not mount one. */
function mountTmpfs(folder: string, options: string): boolean {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  if (status === 0) mounted.push(folder)
  return status === 0
}

const mayMount = mountTmpfs(newFolder(), 'size=64k')
assert.ok(mayMount || process.env.CI !== 'true', 'CI runs as root and may mount')
const skip = mayMount ? false : 'Only root may mount a small or read-only file system.'

/** Certificates of the run in place of new ones, for starts that get as far as the registries. */
function giveCertificates(folder: string): void {
  const { TEST_PKI_DIR } = process.env
  assert.ok(TEST_PKI_DIR)
  const registries = join(folder, 'sandbox-registry')
  mkdirSync(registries, { mode: 0o700 })
  cpSync(TEST_PKI_DIR, join(registries, 'pki'), { recursive: true })
}

/** Without our own JSON log lines. */
async function refusal(environment: Record<string, string>): Promise<string> {
  const program = startProgram({ environment })
  assert.equal(await program.ended, 1, program.lines.join('\n'))
  const sentences = program.lines.filter((line) => !line.startsWith('{'))
  assert.equal(sentences.length, 1, sentences.join('\n'))
  return sentences[0] ?? ''
}

describe('refused in one line', () => {
  test('a file in place of the data folder', async () => {
    const DATA_DIR = join(newFolder(), 'file')
    writeFileSync(DATA_DIR, '')
    assert.match(await refusal({ DATA_DIR }), /^DATA_DIR cannot be used: .*file/)
  })

  test('a data folder that is read-only', { skip }, async () => {
    const DATA_DIR = newFolder()
    mountTmpfs(DATA_DIR, 'ro')
    assert.match(await refusal({ DATA_DIR }), /^DATA_DIR cannot be used: /)
  })

  // From a folder that takes nothing to one that fills up while the cluster is made.
  for (const size of ['4k', '100k', '20m', '60m', '90m'])
    test(`a data folder that is full at ${size}`, { skip }, async () => {
      const DATA_DIR = newFolder()
      mountTmpfs(DATA_DIR, `size=${size},mode=711`)
      if (size.endsWith('m')) giveCertificates(DATA_DIR)
      assert.match(
        await refusal({ DATA_DIR }),
        /^DATA_DIR cannot be used|ENOSPC|No space left|cannot be created|does not start/,
      )
    })

  for (const size of ['4k', '16k', '40k'])
    test(`a data folder that is full at ${size}, beside a given database`, { skip }, async () => {
      const DATA_DIR = newFolder()
      mountTmpfs(DATA_DIR, `size=${size},mode=711`)
      const DATABASE_URL = await newDatabase('template_of_tests')
      assert.match(
        await refusal({ DATA_DIR, DATABASE_URL }),
        /^DATA_DIR cannot be used|ENOSPC|full/,
      )
    })

  for (const mode of ['transaction', 'statement'] as const)
    test(`a PgBouncer in ${mode} mode`, { skip: skipPgBouncer }, async () => {
      const DATABASE_URL = await startPgBouncer(await newDatabase('template0'), mode)
      const DATA_DIR = newFolder()
      giveCertificates(DATA_DIR)
      const sentence = await refusal({ DATA_DIR, DATABASE_URL })
      assert.match(sentence, /^DATABASE_URL leads to a pooler that shares sessions/)
    })

  test('a cluster without PG_VERSION', async () => {
    const DATA_DIR = newFolder()
    const cluster = join(DATA_DIR, 'postgresql', 'cluster')
    mkdirSync(join(cluster, 'base'), { recursive: true })
    giveCertificates(DATA_DIR)
    assert.match(
      await refusal({ DATA_DIR }),
      /^The data in .*cluster is incomplete: PG_VERSION is missing\. Restore the folder/,
    )
  })

  const spoiled: { file: string; text: string; words: RegExp }[] = [
    { file: 'sandbox-registry/thin.jsonl', text: 'x\n', words: /thin\.jsonl:1 cannot be read/ },
    { file: 'sandbox-registry/thick.jsonl', text: '[]\nnull\n', words: /thick\.jsonl:2 cannot/ },
    {
      file: 'sandbox-registry/thin.jsonl',
      text: '[["no such table","k",{}]]\n',
      words: /thin\.jsonl:1 cannot be read/,
    },
    {
      file: 'sandbox-registry/openprovider.jsonl',
      text: '{}\n',
      words: /provider\.jsonl:1 cannot/,
    },
    { file: 'sandbox-registry/clock.json', text: '{"off', words: /clock\.json cannot be read/ },
    { file: 'sandbox-registry/clock.json', text: '{}', words: /clock\.json cannot be read/ },
    { file: 'audit-head.json', text: '', words: /^DATA_DIR has an unreadable audit-head\.json/ },
    {
      file: 'audit-signing-key.pem',
      text: 'x',
      words: /^DATA_DIR has an unreadable audit-signing-key\.pem/,
    },
    { file: 'encryption-key', text: 'x', words: /^DATA_DIR has an unreadable encryption-key/ },
  ]
  for (const { file, text, words } of spoiled)
    test(`${file} with ${JSON.stringify(text)}`, async () => {
      const DATA_DIR = newFolder()
      giveCertificates(DATA_DIR)
      writeFileSync(join(DATA_DIR, file), text)
      // A database in use: beside a known folder, an empty one is refused for another reason.
      const DATABASE_URL = await newDatabase('template_of_tests')
      assert.match(await refusal({ DATA_DIR, DATABASE_URL, NEW_DATABASE: 'true' }), words)
    })
})
