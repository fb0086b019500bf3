// Candidate names of a search.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { candidateNames } from '../src/pages/buy/candidate-names.ts'

const tlds = ['xn--p1ai', 'shop', 'com']

describe('the names of a search', () => {
  it('are the words as one label under each TLD, popular ones first', () => {
    assert.deepEqual(candidateNames('Anna Bakery', ['shop', 'com']), [
      'annabakery.com',
      'annabakery.shop',
    ])
  })

  it('leave out TLDs of another script for Latin letters', () => {
    assert.deepEqual(candidateNames('annabakery', tlds), ['annabakery.com', 'annabakery.shop'])
    assert.deepEqual(candidateNames('annabakery.com', tlds), ['annabakery.com', 'annabakery.shop'])
  })

  it('have every TLD for digits and for letters of another script', () => {
    for (const label of ['2026', 'пекарня', 'xn--80aaxe0agl'])
      assert.equal(candidateNames(label, tlds).length, tlds.length, label)
  })

  it('are each asked for once, whichever form their TLD is given in', () => {
    for (const name of ['пекарня.рф', 'пекарня.xn--p1ai', 'xn--80ajpngj0i.рф'])
      assert.equal(candidateNames(name, tlds).length, tlds.length, name)
  })

  it('are asked for as they are where they are given in full', () => {
    assert.equal(candidateNames('annabakery.xn--p1ai', tlds)[0], 'annabakery.xn--p1ai')
    assert.deepEqual(candidateNames('https://www.one.com/a two.xn--p1ai', tlds), [
      'one.com',
      'two.xn--p1ai',
    ])
  })
})
