// The inclusion proof of a row that is in an archive, from the files alone: no database is needed.
import { readdirSync } from 'node:fs'
import type { Trusted } from '../chain/block.ts'
import { type InclusionProof, proofAt } from '../chain/inclusion-proof.ts'
import { type SignerSettings, trustedKeys } from '../chain/signer.ts'
import { Unsound } from '../chain/unsound.ts'
import { canonicalJson } from '../rows/row.ts'
import { readManifest } from './manifest.ts'
import { readArchive } from './read-archive.ts'

type ArchivedProof = InclusionProof & { canonical_row: string }

/**
 * The proof of the row as GET .../proof gave it; null when no archive in the folder has the row.
 * Throws Unsound when the archive that has it is not valid.
 */
async function archivedProof(
  dir: string,
  row_id: bigint,
  trusted: Trusted,
): Promise<ArchivedProof | null> {
  for (const name of archivesIn(dir)) {
    const record = readManifest(dir, name, trusted)
    if (record.first_id === null || record.last_id === null) continue
    if (row_id < BigInt(record.first_id) || row_id > BigInt(record.last_id)) continue
    let found: ArchivedProof | null = null
    const facts = await readArchive(dir, name, {
      trusted,
      onBlock: ({ block, leaves }) => {
        const index = leaves.findIndex(({ id, row }) => id === row_id && row !== null)
        const canonical_row = canonicalJson(leaves[index]?.row ?? null)
        if (index >= 0) found = { canonical_row, ...proofAt(block, leaves, index) }
      },
    })
    if (facts.sha256 !== record.sha256)
      throw new Unsound('archive', name, 'is not the file that was recorded')
    if (found) return found
  }
  return null
}

function archivesIn(dir: string): string[] {
  const files = readdirSync(dir).sort()
  return files.flatMap((file) => /^([a-z0-9_]+)\.jsonl\.gz$/.exec(file)?.[1] ?? [])
}

type Proving = { settings: SignerSettings; dir: string; id: string }

/** Prints the proof as JSON; `ok` false should end the command with status 1. */
export async function archivedProofCommand({
  settings,
  dir,
  id,
}: Proving): Promise<{ ok: boolean; lines: string[] }> {
  try {
    const proof = await archivedProof(dir, BigInt(id), trustedKeys({ settings }))
    if (proof) return { ok: true, lines: [JSON.stringify(proof, null, 2)] }
    return { ok: false, lines: [`No archive in ${dir} has entry ${id}.`] }
  } catch (error) {
    if (!(error instanceof Unsound)) throw error
    return { ok: false, lines: [`BAD archive ${error.finding.id} ${error.finding.problem}.`] }
  }
}
