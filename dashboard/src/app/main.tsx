// Entry point: renders the application into the page.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isOperatorPage } from '../lib/routes.ts'
import { readFirstSession } from '../lib/session.ts'
import { readServiceFacts } from '../lib/sign-in/service-facts.ts'
import { applyTheme, readTheme } from '../lib/theme.ts'
import { loadHints } from '../lib/words/failure-words.ts'
import { App } from './app.tsx'
import './styles.css'

applyTheme(readTheme())
if (!isOperatorPage) {
  void readFirstSession()
  void readServiceFacts()
}
// Loaded after the page, so that the page is usable sooner.
setTimeout(() => void loadHints(), 500)
const root = document.getElementById('root')
if (root === null) throw new Error('The page has no element "root".')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
