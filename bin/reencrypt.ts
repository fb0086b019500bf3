// Rotation of ENCRYPTION_KEY: encrypts with the current key everything that a previous key
// encrypted, while the service runs. docs/production/keys.md has the order of the steps.
import pino from 'pino'
import { readSettings, SettingError } from '../src/config/config.ts'
import { openDatabase } from '../src/db/database.ts'
import { startEmbedded } from '../src/db/embedded/index.ts'
import { Encryption, hasKeptKey } from '../src/kit/encryption.ts'
import { reencrypt, reportOf } from '../src/reencryption/reencrypt.ts'
import { programOptions } from './program-options.ts'

const usage = `bin/reencrypt [--check]
  Encrypts every value that a key of ENCRYPTION_KEYS_PREVIOUS has encrypted with ENCRYPTION_KEY.
  The service may run meanwhile. It may be interrupted, and run again.
  --check  counts, and changes nothing
  Ends with 0 where no value needs a previous key, 1 where one does (run it again), 3 where none
  does, but some values open with no key at all.`
const log = pino({ level: 'error' }, pino.destination(2))

async function run({ check }: { check: boolean }): Promise<number> {
  const settings = readSettings()
  // A new key would be generated here, and it could not decrypt anything.
  if (settings.encryption_key === null && !hasKeptKey(settings))
    throw new SettingError('ENCRYPTION_KEY', 'is not set, and DATA_DIR has none')
  const encryption = new Encryption(settings)
  const { data_dir, database_url } = settings
  const embedded = database_url === null ? await startEmbedded({ data_dir, log }) : null
  const db = await openDatabase({ url: embedded?.url ?? database_url ?? '' })
  try {
    const { lines, code } = reportOf(await reencrypt({ db, encryption }, { check }))
    process.stdout.write(`${lines.join('\n')}\n`)
    return code
  } finally {
    await db.close()
    await embedded?.stop()
  }
}

const { check = false } = programOptions(usage, { check: { type: 'boolean' } })
process.exitCode = await run({ check }).catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 2
})
