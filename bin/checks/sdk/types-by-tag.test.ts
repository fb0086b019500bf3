// The generated types in one file for each tag: what several tags use is shared.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { typesByTag } from '../../../sdk/generator/types-by-tag.mjs'

const text = `// header

export type ClientOptions = { baseUrl: string };

/**
 * A Lock, which Domains name.
 */
export type Lock = {
    /**
     * Not a Key.
     */
    at: 'Key';
};

export type Domain = { lock: Lock };
export type Key = { id: number };
export type Problem = { code: string };
export type ListDomainsData = { url: '/v1/domains' };
export type ListDomainsErrors = { 404: Problem };
export type ListDomainsError = ListDomainsErrors[keyof ListDomainsErrors];
export type ListDomainsResponses = { 200: Array<Domain> };
export type GetKeyData = { url: '/v1/key' };
export type GetKeyErrors = { 404: Problem };
export type GetKeyResponses = { 200: Key };
`
const document = {
  paths: {
    '/v1/domains': { get: { operationId: 'list_domains', tags: ['Domains'] } },
    '/v1/key': { get: { operationId: 'get_key', tags: ['API keys'] } },
  },
}

const namesIn = (file = '') => [...file.matchAll(/^export type (\w+)/gm)].map(([, name]) => name)

it('puts each type in the file of the one tag that uses it, also by another type', () => {
  const files = typesByTag(text, document)
  const { 'types/domains.gen.ts': domains, 'types/api-keys.gen.ts': keys } = files
  assert.deepEqual(namesIn(domains), [
    ...['Lock', 'Domain', 'ListDomainsData', 'ListDomainsErrors', 'ListDomainsError'],
    'ListDomainsResponses',
  ])
  assert.match(domains ?? '', /A Lock, which Domains name/)
  assert.deepEqual(namesIn(keys), ['Key', 'GetKeyData', 'GetKeyErrors', 'GetKeyResponses'])
  for (const file of [domains, keys])
    assert.match(file ?? '', /^import type { Problem } from '.\/shared.gen.ts';$/m)
})

it('shares what several tags use or none, and exports all from one file', () => {
  const files = typesByTag(text, document)
  assert.deepEqual(namesIn(files['types/shared.gen.ts']), ['ClientOptions', 'Problem'])
  const all = ['api-keys', 'domains', 'shared'].map(
    (file) => `export type * from './types/${file}.gen.ts';\n`,
  )
  assert.equal(files['types.gen.ts'], `// header\n\n${all.join('')}`)
})

it('refuses a document whose operation has no types', () => {
  const paths = { '/v1/x': { get: { operationId: 'get_x', tags: ['X'] } } }
  assert.throws(() => typesByTag(text, { paths }), /get_x has no GetXData/)
})
