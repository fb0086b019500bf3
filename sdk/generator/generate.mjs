// Generator of the TypeScript client: generate.mjs DOCUMENT FOLDER, run by bin/check --write.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createClient } from '@hey-api/openapi-ts'
import { typesByTag } from './types-by-tag.mjs'

const [input, path] = process.argv.slice(2)
if (!input || !path) throw new Error('generate.mjs takes the OpenAPI document and a folder')
await createClient({
  input,
  logs: { level: 'warn' },
  output: { path, clean: true, module: { extension: '.ts' }, postProcess: [] },
  plugins: [
    { name: '@hey-api/client-fetch', baseUrl: false, includeInEntry: true },
    { name: '@hey-api/typescript' },
    { name: '@hey-api/sdk' },
  ],
})
const types = `${path}/types.gen.ts`
mkdirSync(`${path}/types`)
const files = typesByTag(readFileSync(types, 'utf8'), JSON.parse(readFileSync(input, 'utf8')))
for (const [name, text] of Object.entries(files)) writeFileSync(`${path}/${name}`, text)
// The code is not written for exactOptionalPropertyTypes; callers are checked all the same.
for (const file of globSync(`${path}/**/*.ts`))
  writeFileSync(file, `// @ts-nocheck\n${readFileSync(file, 'utf8')}`)
