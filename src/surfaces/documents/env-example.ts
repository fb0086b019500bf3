// Writes .env.example from the settings' own table. bin/check compares it, and bin/check --write
// renews it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentedSettings } from '../../config/config.ts'

const file = join(import.meta.dirname, '../../../.env.example')

const opening =
  '# Every setting. All are optional; copy to .env what you change.\n' +
  '# Instead of NAME, NAME_FILE may be set: the path of a file with the value, as of a secret.'

/** The text of .env.example: each setting with its meaning, commented out at its default. */
function envExample(): string {
  const settings = documentedSettings().map(
    ({ name, preset, meaning }) => `# ${meaning}\n#${name}=${preset}\n`,
  )
  return [`${opening}\n`, ...settings].join('\n')
}

if (import.meta.main) writeFileSync(file, envExample())
