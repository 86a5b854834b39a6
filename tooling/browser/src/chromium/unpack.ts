// Unpacks the browser, its libraries and its font into TMPDIR, which their package takes for the machine's temporary folder.
import chromium from '@sparticuz/chromium';

await chromium.executablePath();
