// For tests: holds frames against the IETF's schemas, which are never part of this repository.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'

const beside = fileURLToPath(new URL('../../../../shared/xsd', import.meta.url))
const folder = process.env.EPP_XSD_DIR ?? beside
const driver = join(folder, 'all.xsd')

/** A text for `test(..., { skip })` where the schemas are missing, else false. */
export const schemasMissing: string | false = existsSync(driver)
  ? false
  : `no EPP schemas in ${folder} (EPP_XSD_DIR)`

let validator: XsdValidator | undefined

function compiled(): XsdValidator {
  if (!validator) {
    xmlRegisterFsInputProviders()
    const schema = XmlDocument.fromBuffer(readFileSync(driver), { url: driver })
    validator = XsdValidator.fromDoc(schema)
    schema.dispose()
  }
  return validator
}

/** Throws with libxml2's words when the document is not valid. */
export function assertValid(xml: string | Buffer): void {
  const document =
    typeof xml === 'string' ? XmlDocument.fromString(xml) : XmlDocument.fromBuffer(xml)
  try {
    compiled().validate(document)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${why}\n${xml.toString()}`)
  } finally {
    document.dispose()
  }
}
