// The samples of one operation as a part of a guide: curl, TypeScript and MCP beside each other.
import type { Operation } from '../../../app.ts'
import type { Html } from '../../../kit/html.ts'
import { curlSample, exampleOf, mcpSamples, typescriptSample } from './code-samples.ts'
import { codeSamples, type SiteParts } from './site-page.ts'

/** The samples of an operation, or none where the catalog of a test lacks it. */
export function samples({ operations, settings }: SiteParts, name: string): Html | null {
  const { base_url } = settings
  const operation: Operation | undefined = operations.find((one) => one.name === name)
  const example = operation && exampleOf(operation)
  if (operation === undefined || example === undefined) return null
  return codeSamples([
    { label: 'curl', code: curlSample(operation, example, base_url) },
    { label: 'TypeScript', code: typescriptSample(operation, example, base_url) },
    ...mcpSamples(operation, settings).map((code) => ({ label: 'MCP', code })),
  ])
}
