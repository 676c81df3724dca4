@echo off
where node >nul 2>nul
if errorlevel 1 (
  echo error: pulumi-dynamiclink needs Node.js 22.19 or newer, and there is no node on PATH. Install it, or add its directory to PATH. 1>&2
  exit /b 1
)
node "%~dp0start.js" %*
