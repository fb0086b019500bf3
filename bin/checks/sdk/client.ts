// The client in sdk/src is generated from the OpenAPI document. A digest of both shows that neither
// has changed alone, so the generator is installed only to make the client again.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Complaint } from '../tree.ts'

const digestFile = 'sdk/digest.txt'
const client = 'sdk/src'
const generator = 'sdk/generator'

/** Complains if the client does not match the document. */
export function checkSdk(root: string): Complaint[] {
  return isCurrent(root, documentOf(root))
    ? []
    : [`${client} is not generated from the OpenAPI document; run bin/check --write`]
}

/** Generates the client if it does not match the document. */
export function renewSdk(root: string): Complaint[] {
  const document = documentOf(root)
  if (isCurrent(root, document)) return []
  if (!existsSync(join(root, generator, 'node_modules/@hey-api/openapi-ts')))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefix', generator], {
      cwd: root,
      stdio: 'pipe',
    })
  const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-sdk-'))
  try {
    const input = join(scratch, 'openapi.json')
    writeFileSync(input, document)
    const command = [join(generator, 'generate.mjs'), input, join(root, client)]
    execFileSync(process.execPath, command, { cwd: root, stdio: 'pipe' })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  writeFileSync(join(root, digestFile), digestOf(root, document))
  return []
}

function documentOf(root: string): string {
  return execFileSync(process.execPath, ['src/surfaces/documents/write-openapi.ts'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
}

function isCurrent(root: string, document: string): boolean {
  const file = join(root, digestFile)
  return existsSync(file) && readFileSync(file, 'utf8') === digestOf(root, document)
}

function digestOf(root: string, document: string): string {
  const hash = createHash('sha256').update(document)
  const files = [
    ...globSync(`${client}/**/*.ts`, { cwd: root }).sort(),
    ...globSync(`${generator}/*.mjs`, { cwd: root }).sort(),
  ]
  for (const file of [...files, `${generator}/package-lock.json`])
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  return `${hash.digest('hex')}\n`
}
