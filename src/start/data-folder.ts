// The data folder of a process: opened, locked, and with keys that can be used.
import { accessSync, constants, mkdirSync } from 'node:fs'
import type { App } from '../app.ts'
import { hasOwnKey, notedHead, openAuditSigner } from '../capabilities/audit/index.ts'
import { SettingError, type Settings } from '../config/config.ts'
import { Encryption, EncryptionKeyError, hasKeptKey } from '../kit/encryption.ts'
import { FolderLocked, lockFolder } from '../kit/folder-lock.ts'

/**
 * Opens the folder first of all, so that others may pass through it: PostgreSQL runs as another
 * user when we are root. The folder is locked before anything in it is touched, until everything
 * else has stopped.
 */
export function openDataFolder({ data_dir }: Settings): { release: () => void } {
  try {
    mkdirSync(data_dir, { recursive: true, mode: 0o755 })
    accessSync(data_dir, constants.W_OK)
    return lockFolder(data_dir)
  } catch (error) {
    if (error instanceof FolderLocked)
      throw new SettingError(
        'DATA_DIR',
        `${error.message}. Stop that one, or set DATA_DIR and PORT to others.`,
      )
    const why = error instanceof Error ? error.message : String(error)
    throw new SettingError('DATA_DIR', `cannot be used: ${data_dir}: ${why}`)
  }
}

/**
 * Throws SettingError for a file of an earlier start that cannot be read, before a database or a
 * process is started for it. It makes nothing.
 */
export function refuseUnreadableFiles(settings: Settings): void {
  notedHead({ settings })
  if (settings.audit_signing_key === null && hasOwnKey(settings)) openAuditSigner({ settings })
  if (settings.encryption_key === null && hasKeptKey(settings)) openEncryption(settings)
}

/** The keys of this node, which the first start makes where the settings have none. */
export function openKeys(settings: Settings): Pick<App, 'auditSigner' | 'encryption'> {
  return { auditSigner: openAuditSigner({ settings }), encryption: openEncryption(settings) }
}

function openEncryption(settings: Settings): Encryption {
  try {
    return new Encryption(settings)
  } catch (error) {
    if (error instanceof EncryptionKeyError) throw new SettingError('DATA_DIR', error.message)
    throw error
  }
}
