// Each way in which an export can have been tampered with, found by the offline verifier.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  compareExports,
  compareHead,
  verifyExport,
} from '../../../../audit-verifier/verify-export.js'
import { signStatement } from '../chain/export-statement.ts'
import {
  act,
  customerWithLog,
  exported,
  fileOf,
  type Page,
  registrar,
  sealed,
  signer,
  trusted,
  verified,
} from './export.fixture.ts'

const customer = await customerWithLog()
const pages = await exported(customer)

/** As if the operator wanted it so: with the key. */
function resigned(page: Page, entries = page.entries): Page {
  const { type: _type, key_id: _key, count: _count, entries_root: _root, ...rest } = page.statement
  const fields = {
    customer_id: String(rest.customer_id),
    block_number: String(rest.block_number),
    block_hash: String(rest.block_hash),
    after_id: rest.after_id,
    last_id: rest.last_id,
    complete: rest.complete === true,
    archived_to: null,
    created_at: String(rest.created_at),
  }
  const hashes = entries.map(({ row_hash }) => Buffer.from(row_hash, 'hex'))
  return { ...page, ...signStatement(fields, hashes, signer), entries }
}

type Tampering = (pages: Page[]) => unknown
const at = (all: Page[], index: number): Page => {
  const page = all[index]
  assert.ok(page)
  return page
}
const entryOf = (all: Page[], index = 1) => {
  const [, entry] = at(all, index).entries
  assert.ok(entry)
  return entry
}

const tamperings: Record<string, [Tampering, RegExp]> = {
  'an entry that was changed': [
    (all) => {
      const entry = entryOf(all)
      entry.canonical_row = String(entry.canonical_row).replace('create', 'revoke')
    },
    /entry \d+ was changed/,
  ],
  'an entry that was changed with its hash': [
    (all) => {
      entryOf(all).row_hash = entryOf(all, 0).row_hash
      entryOf(all).canonical_row = entryOf(all, 0).canonical_row
    },
    /entry \d+ is not in block/,
  ],
  'an entry that was left out': [
    (all) => at(all, 1).entries.splice(1, 1),
    /lacks entries, or has added ones/,
  ],
  'an entry that was added': [
    (all) => at(all, 1).entries.push(entryOf(all)),
    /lacks entries, or has added ones/,
  ],
  'two entries that changed places': [(all) => at(all, 1).entries.reverse(), /is out of order/],
  'an entry of another number': [
    (all) => {
      entryOf(all).leaf_index += 1
    },
    /is not in block/,
  ],
  'a page that is missing': [(all) => all.splice(1, 1), /a page before it is missing/],
  'the last page that is missing': [(all) => all.pop(), /the last page is missing/],
  'the first page that is missing': [(all) => all.shift(), /a page before it is missing/],
  'pages that changed places': [
    (all) => all.splice(0, 2, at(all, 1), at(all, 0)),
    /a page before it is missing/,
  ],
  'a statement that was changed': [
    (all) => {
      at(all, 1).statement.count -= 1
      at(all, 1).entries.pop()
    },
    /the signature is not of this statement/,
  ],
  'a block that was changed': [
    (all) => {
      for (const block of at(all, 1).blocks) block.row_count = 1
    },
    /block \d+ was changed/,
  ],
  'a block with another signature': [
    (all) => {
      for (const block of at(all, 1).blocks) block.signature = at(all, 1).signature
    },
    /has a signature that is not of its key/,
  ],
  'a block that is missing': [
    (all) => {
      at(all, 1).blocks = []
    },
    /its block \d+ is missing/,
  ],
  'a page without its key': [
    (all) => {
      at(all, 1).public_key = ''
    },
    /has no public key/,
  ],
  'a file that is no export': [(all) => all.splice(0, 9, Object({ a: 1 })), /is not a page/],
}

describe('the verifier', () => {
  for (const [name, [tamper, message]] of Object.entries(tamperings))
    it(`finds ${name}`, () => {
      const copy = structuredClone(pages)
      tamper(copy)
      assert.throws(() => verified(copy), { message })
    })

  it('refuses another key than the one that was noted', () => {
    assert.throws(() => verifyExport(fileOf(pages), new Set(['0'.repeat(32)])), {
      message: /not with yours/,
    })
  })

  it('finds by an older export what was deleted or changed, though it is signed again', async () => {
    const older = verified(pages)
    assert.equal((await act(customer, 'Newer')).status, 201)
    await sealed(customer)
    const newer = await exported(customer)
    assert.equal(compareExports(verified(newer), older), 0)
    const [first] = newer
    assert.ok(first)
    const without = [resigned(first, first.entries.slice(1)), ...newer.slice(1)]
    assert.throws(() => compareExports(verified(without), older), {
      message: /entry \d+ was deleted since/,
    })
    assert.throws(() => compareExports(older, verified(newer)), { message: /is the newer one/ })
  })

  it('compares a signed head', async () => {
    const [block] = at(pages, 0).blocks
    assert.ok(block)
    const { number } = block
    const read = await registrar.request('GET', `/v1/audit/head?number=${number}`, {
      token: customer.key,
    })
    const head = read.body
    assert.equal(compareHead(verified(pages), head, trusted), 'same')
    assert.throws(
      () => compareHead(verified(pages), { ...head, block_hash: '0'.repeat(64) }, trusted),
      { message: /the head has a signature/ },
    )
  })
})
