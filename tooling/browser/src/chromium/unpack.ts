// Unpacks the browser, its libraries and its font into TMPDIR; their package always unpacks into the temporary folder.
import chromium from '@sparticuz/chromium';

await chromium.executablePath();
