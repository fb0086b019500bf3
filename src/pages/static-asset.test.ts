// Styles and scripts of the pages: they are immutable under a name with a hash, and have the
// dashboard's tokens as custom properties.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sharedService } from '../../test/support/service.ts'
import { declaredAssets, pageStyle } from './static-asset.ts'

const registrar = await sharedService({ worker: false })

describe('the files of the pages', () => {
  it('are served by names with a hash, and kept for good', async () => {
    assert.ok(declaredAssets().length > 4)
    for (const { path, type, text } of declaredAssets()) {
      assert.match(path, /^\/assets\/\w+-[\w-]{12}\.(css|js|svg)$/)
      const { status, headers, text: body } = await registrar.request('GET', path)
      assert.deepEqual([status, body], [200, text])
      assert.equal(headers.get('content-type'), type)
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      const other = path.replace(/-[\w-]{12}\./, '-000000000000.')
      assert.equal((await registrar.request('GET', other)).status, 404)
    }
  })

  it('define each token that they use', () => {
    for (const { path, type, text } of declaredAssets()) {
      if (!type.startsWith('text/css')) continue
      const used = [...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name = '']) => name)
      assert.ok(used.length > 10, path)
      for (const name of used) assert.ok((pageStyle.text + text).includes(`${name}: `), name)
      assert.doesNotMatch(text, /@theme|initial;/)
    }
  })
})
