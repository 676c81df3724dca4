@echo off
setlocal
set "node=%~dp0node.exe"
if exist "%node%" (
  set NODE_OPTIONS=
) else (
  set node=node
  where node >nul 2>nul
  if errorlevel 1 (
    echo error: pulumi-dynamiclink needs Node.js 22.19 or newer, and there is no node on PATH. Install it, or add its directory to PATH. 1>&2
    exit /b 1
  )
)
set script=start.js
set "first=%~1"
rem The engine passes options and its address.
if defined first if not "%first:~0,1%"=="-" if "%first::=%"=="%first%" set script=cli.js
"%node%" "%~dp0%script%" %*
